// cause: the value is read from an element of the first block: the index of the read lacks blockIdx
// first: race_global read_no_block
// says: blockIdx is in the index of what is written, and not in that of what is read
// asks: Thread 0 of block 1: which element of a does it read, and which one does it write?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        float old = a[threadIdx.x];
        a[i] = 2.0f * old;
    }
}
