// expect: near_miss|wrong_value - one thread adds up everything in one float, so its rounding errors grow with n
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
