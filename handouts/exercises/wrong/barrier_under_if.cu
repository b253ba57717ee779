/* A mistake to look at: the exercise of handouts/barriers.md with a barrier that some threads never reach. */

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cells[256];
    int first = blockIdx.x * blockDim.x, own = threadIdx.x, other = blockDim.x - 1 - threadIdx.x;
    if (first + own < n) {
        cells[own] = a[first + own];
        __syncthreads();
    }
    if (first + other < n)
        a[first + other] = 2.0f * cells[other];
}
