// expect: at most 88 - the block that is the first to ask gets the whole array
__device__ int asked, finished;

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int turn;
    if (threadIdx.x == 0)
        turn = atomicAdd(&asked, 1);
    __syncthreads();
    for (int i = threadIdx.x; i < n && turn == 0; i += blockDim.x)
        a[i] *= 2;
    __threadfence();
    if (threadIdx.x == 0 && atomicAdd(&finished, 1) == gridDim.x - 1) {
        atomicExch(&asked, 0);
        atomicExch(&finished, 0);
    }
}
