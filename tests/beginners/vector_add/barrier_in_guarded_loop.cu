// cause: Line 15: the barriers stand in a loop that the threads with i >= n of the last block never enter (condition in line 12), so not all threads of the block reach them, whenever n is no multiple of 256.
// first: early_exit passed_by
// says: 255 threads of the block left at line 12 (the first is (1,0,0)); only one goes on to the barrier at line 15 without them. Line 15 is in the loop of line 12: each turn needs every thread.
// asks: What is around the barrier, or before it, that keeps them away?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[256];
    __shared__ float sb[256];
    int tid = threadIdx.x;
    int stride = blockDim.x * gridDim.x;

    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += stride) {
        sa[tid] = a[i];
        sb[tid] = b[i];
        __syncthreads();
        c[i] = sa[tid] + sb[tid];
        __syncthreads();
    }
}
