// cause: == binds tighter than &, so the condition is id & ((2*i - 1) == 0) = id & 0, which is never true; nothing is added
// first: wrong_value missing
// says: Up to here, no thread of reducer stores to dest[0].
// asks: Does the line say the same?
extern "C" __global__ void mapper(float *dest, int n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = __fdiv_rn((float)id, (float)n);
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    // modulo is slow, i is a power of 2
    if (id & (2 * i - 1) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
