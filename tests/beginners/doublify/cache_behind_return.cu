// cause: if (i >= n) return; stands before __syncthreads();, so threads of the last block leave while the others go to the barrier, which the handout forbids
// first: early_exit
// says: 255 threads of the block left at line 10 (the first is (1,0,0)); only one goes on to the barrier at line 13 without them
// asks: Which threads reach the barrier, and which have already returned?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cache[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    if (i >= n) return;

    cache[tid] = a[i];
    __syncthreads();
    cache[tid] = cache[tid] * 2.0f;
    a[i] = cache[tid];
}
