// cause: threads without an element return before the barrier that the others of their block still go to (line 12): early exit before a barrier
// first: early_exit
// says: only one goes on to the barrier at line 16 without them
// asks: Which threads reach the barrier, and which have already returned?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[256];
    __shared__ float sb[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (i >= n) return;

    sa[t] = a[i];
    sb[t] = b[i];
    __syncthreads();
    c[i] = sa[t] + sb[t];
}
