// cause: == binds tighter than &: the condition is never true
// first: wrong_value missing
// says: Up to here, no thread of reducer stores to dest[0].
// asks: Say in words when this condition should be true. Does the line say the same?
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
    /* i is a power of two, so & is cheaper than % */
    if (id & (2 * i - 1) == 0 && id + i < n) {
        dest[id] += dest[id + i];
    }
}
