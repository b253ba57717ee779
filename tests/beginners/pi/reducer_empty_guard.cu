// cause: the reducer's guard is never true: id % (2 * i) == 1 (for i > 0)
// first: wrong_value missing
// says: stores to dest[1], for example. dest[1..3] are missing in dest[0], which has only dest[0].
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
    if (id % (2 * i) == 1 && id + i < n)
        dest[id] += dest[id + i];
}
