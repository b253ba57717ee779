// expect: pass - blocks take their pieces from a counter, so a block that is late takes fewer
__device__ int next_piece, finished;

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int piece;
    int pieces = (n + blockDim.x - 1) / blockDim.x;
    while (true) {
        if (threadIdx.x == 0)
            piece = atomicAdd(&next_piece, 1);
        __syncthreads();
        int i = piece * blockDim.x + threadIdx.x;
        bool done = piece >= pieces;
        __syncthreads();   // before the next piece is taken
        if (done)
            break;
        if (i < n)
            a[i] *= 2;
    }
    __threadfence();
    if (threadIdx.x == 0 && atomicAdd(&finished, 1) == gridDim.x - 1) {
        atomicExch(&next_piece, 0);   // for the next launch
        atomicExch(&finished, 0);
    }
}
