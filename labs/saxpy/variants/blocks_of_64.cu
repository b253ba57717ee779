// expect: pass - two warps a block: the loop does not care
extern "C" __constant__ int saxpy_block[3] = {64, 1, 1};

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; i += stride) {
        double sum = (double)a * x[i] + y[i];
        y[i] = (float)sum;
    }
}
