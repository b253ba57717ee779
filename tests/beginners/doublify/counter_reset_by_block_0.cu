// cause: if (blockIdx.x == 0 && threadIdx.x == 0) next = 0; resets the counter while other blocks already count (__syncthreads() orders only one block): a race, elements are taken twice or not at all
// first: race_mixed blocks
// says: changed atomically by thread (255,0,0) of block (1,0,0) (line 13) and written by thread (0,0,0) of block (0,0,0) (line 10); nothing orders the two blocks
// asks: What orders the two?
// dynamic work distribution: who comes first takes the next element
__device__ int next;

extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) next = 0;
    __syncthreads();

    int i = atomicAdd(&next, 1);
    if (i < n) {
        a[i] *= 2.0f;
    }
}
