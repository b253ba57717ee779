// cause: the shared array has 32 places, one for each lane, and the eight warps of a block overwrite one another's
// first: race_shared same_element
// says: lane = threadIdx.x%32 = 32%32 = 0
// asks: Which threads have the same index here?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float staged[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    if (i < n)
        staged[lane] = a[i];
    __syncthreads();
    if (i < n)
        c[i] = staged[lane] + b[i];
}
