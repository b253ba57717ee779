// cause: the index is cut to 16 bits by a cast
// first: never_written narrow
// says: 65537 elements need 257 blocks of 256.
// asks: Which type has the variable that cannot hold its number
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);
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
