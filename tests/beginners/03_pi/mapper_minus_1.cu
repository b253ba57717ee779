// cause: the mapper leaves out the last element
// first: never_written before
// says: Element 254 of dest, the last, was never written. That is the work of mapper, which runs before
// asks: Which elements of dest does mapper store, and which of them are read afterwards?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n - 1) {
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
