// cause: the index is an unsigned short, which a typedef hides
// first: never_written narrow
// says: 65537 elements need 257 blocks of 256.
// asks: Which type has the variable that cannot hold its number
typedef unsigned short u16;
typedef unsigned int   u32;

extern "C" __global__ void mapper(float *dest, int n)
{
    u16 id = (u16)(blockIdx.x * blockDim.x + threadIdx.x);
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    u32 id = blockIdx.x * blockDim.x + threadIdx.x;
    u32 mask = 2u * (u32)i - 1u;
    if ((id & mask) == 0 && id + i < (u32)n)
        dest[id] += dest[id + i];
}
