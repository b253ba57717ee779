// cause: the reducer's index lacks the block
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements
// asks: Thread 0 of block 0 and thread 0 of block 1: which elements of dest do they change?
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
    int id = threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
