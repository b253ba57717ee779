// expect: wrong_value - step i = 1 adds everything, and the other steps have nothing to do
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
    if (id == 0 && i == 1) {
        for (int k = 1; k < n; k++) {
            dest[0] += dest[k];
        }
    }
}
