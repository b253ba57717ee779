// cause: the mapper is empty
// first: never_written before
// says: That is the work of mapper, which runs before; dest[1] is then read at line 13.
// asks: Which elements of dest does mapper store, and which of them are read afterwards?
extern "C" __global__ void mapper(float *dest, int n)
{
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
