// cause: The array of line 5 is a __device__ variable in global memory, one for the whole grid and not per block: all blocks store in the same 256 places in line 13 (race for n >= 257).
// first: race_global one_array
// says: blockIdx is not in the index, so every block uses the same elements
// asks: How many arrays scratch are there for all blocks together
__device__ float scratch[256];    // one place for each thread of the block

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    if (i < n)
        scratch[t] = a[i];
    __syncthreads();
    if (i < n)
        c[i] = scratch[t] + b[i];
}
