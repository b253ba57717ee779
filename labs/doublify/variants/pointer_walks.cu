// expect: pass - a pointer walks in steps of the grid, with blocks of 128 threads; dividing by 0.5 is exact
extern "C" __constant__ int doublify_block[3] = {128, 1, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    float *const end = a + n;
    float *p = a + blockIdx.x * blockDim.x + threadIdx.x;
    while (p < end) {
        *p = *p / 0.5f;
        p += gridDim.x * blockDim.x;
    }
}
