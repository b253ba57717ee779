// cause: threads beyond the end return before the barrier
// first: early_exit
// says: only one goes on to the barrier at line 12 without them
// asks: Which threads reach the barrier, and which have already returned?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    s[threadIdx.x] = a[i];
    __syncthreads();
    a[i] = 2.0f * s[threadIdx.x];
}
