// cause: reducer_items = 512 halves the number of blocks, but the kernel still uses one id per thread (blocks of 256), so ids in the upper half of the array never receive
// first: wrong_value items
// says: the launch has 2048 threads, a block of 256 for each 512 elements, as line 6 asks.
// asks: Which thread should take dest[2048]?
// a pair has two elements, so each block of 256 threads covers 512
extern "C" __constant__ int reducer_items = 512;

extern "C" __global__ void mapper(float *dest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = (float)i / n;
        dest[i] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
