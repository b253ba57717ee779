// cause: the sum is stored in the right element of the pair
// first: wrong_value missing
// says: stores to dest[1], for example.
// asks: Which thread should add them, and at which line?
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
    if (id % (2 * i) == 0 && id + i < n) {
        float a = dest[id];
        float b = dest[id + i];
        dest[id + i] = a + b;
    }
}
