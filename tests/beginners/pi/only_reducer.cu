// cause: the mapper is empty
// first: never_written no_store
// says: No line of mapper stores into dest.
// asks: On which line of mapper does an element of dest get its new value?
extern "C" __global__ void mapper(float *dest, int n)
{
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
