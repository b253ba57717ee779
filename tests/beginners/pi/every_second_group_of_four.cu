// cause: every second group of four is left out
// first: never_written elsewhere
// says: stores some elements from dest[0] to dest[27].
// asks: Which elements should
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = id; k < id + 4 && k < n; k++) {
        float x = (float)k / n;
        dest[k] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
