// cause: if (i < n) c[n - 1 - i] = 0.0f; clears elements that other blocks compute, and __syncthreads(); orders only one block's threads: a race between blocks
// first: race_global two_stores
// says: written by thread (0,0,0) of block (0,0,0) (line 15) and written by thread (0,0,0) of block (1,0,0) (line 10); nothing orders the two blocks
// asks: Should both threads use this element, or each one of its own?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // c holds rubbish: clear it first, from the back
    if (i < n) c[n - 1 - i] = 0.0f;
    __syncthreads();

    if (i < n) {
        c[i] += a[i];
        c[i] += b[i];
    }
}
