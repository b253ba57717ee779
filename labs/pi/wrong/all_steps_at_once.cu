// expect: wrong_value - loops over all steps in one launch, though nothing makes one block wait for another
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 1) {
        for (int step = 1; step < n; step *= 2) {
            if (id % (2 * step) == 0 && id + step < n) {
                dest[id] += dest[id + step];
            }
            __syncthreads();
        }
    }
}
