// cause: the two branches of the if wait at two different barriers (lines 10 and 13), which are not one barrier for all threads of the block
// first: barrier_mismatch branch
// says: Line 14 is inside the `if` of line 12
// asks: Which threads does the if in the message let through to the barrier, and what do the others do meanwhile?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float cells[256];
    int first = blockIdx.x * blockDim.x;
    int own = threadIdx.x;
    int other = blockDim.x - 1 - threadIdx.x;

    if (first + own < n) {
        cells[own] = a[first + own];
        __syncthreads();
    } else {
        cells[own] = 0.0f;
        __syncthreads();     // everybody has to come to a barrier
    }

    if (first + other < n)
        a[first + other] = 2.0f * cells[other];
}
