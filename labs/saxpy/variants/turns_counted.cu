// expect: pass - the number of turns is computed, and the last one is asked for
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    int turns = (n + stride - 1) / stride;
    for (int turn = 0; turn < turns; turn++) {
        int k = turn * stride + i;
        if (k >= n)
            return;
        y[k] = a * x[k] + y[k];
    }
}
