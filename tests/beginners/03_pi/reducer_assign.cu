// cause: = for +=
// first: wrong_value other
// says: pi should be 3.6 but is 1.60000002.
// asks: What the mapper stored is right in this case, but the sum is not. With n = 3 there are two steps: which
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
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] = dest[id + i];
}
