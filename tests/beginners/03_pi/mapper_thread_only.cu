// cause: the mapper's index lacks the block
// first: never_written before
// says: Elements 256..999 of dest, the last ones, were never written. 1000 elements need 4 blocks of 256. That is
// asks: Which elements of dest does mapper store, and which of them are read afterwards?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
