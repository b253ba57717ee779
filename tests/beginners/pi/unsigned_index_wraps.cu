// cause: `unsigned id = 2u * i * (blockIdx.x * blockDim.x + threadIdx.x);` wraps at 2^32 in the late steps (n = 65537, i = 65536: thread 32768 gets id 0 again), so pairs are added more than once, in a race
// first: race_global narrow
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which type does the variable have that holds the index, and what is the largest number in it?
extern "C" __global__ void mapper(float *dest, int n)
{
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    float x = (float)id / (float)n;
    dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // unsigned: an index is never negative
    unsigned id = 2u * i * (blockIdx.x * blockDim.x + threadIdx.x);
    unsigned partner = id + i;
    if (id >= n || partner >= n) return;
    dest[id] += dest[partner];
}
