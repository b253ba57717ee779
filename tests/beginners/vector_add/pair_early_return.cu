// cause: In line 9 threads without an element return before the barrier in line 13 that the others of their block still go to (early exit before a barrier).
// first: early_exit
// says: only one goes on to the barrier
// asks: which have already returned?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float2 pair[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    pair[threadIdx.x].x = a[i];
    pair[threadIdx.x].y = b[i];
    __syncthreads();
    float2 p = pair[threadIdx.x];
    c[i] = p.x + p.y;
}
