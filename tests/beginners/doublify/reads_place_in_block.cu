// cause: reads a[threadIdx.x] instead of the thread's own element
// first: race_global read_no_block
// says: blockIdx is in the index of what is written, and not in that of what is read
// asks: which element of a does it read, and which one does it write?
extern "C" __global__ void doublify(float *a, int n)
{
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    if (i < n) {
        float x = a[tid];
        a[i] = x * 2.0f;
    }
}
