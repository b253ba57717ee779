// cause: the sum goes into the right-hand element of each pair, dest[id + i], and the left-hand one is what the next step reads
// first: wrong_value missing
// says: no thread of reducer stores to dest[0]. Line 18 stores to dest[1], for example.
// asks: (These are the elements as they were before the first step.) Which thread should add them, and at which line?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = id / (float)n;
        dest[id] = 4 / (1 + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id + i] += dest[id];
}
