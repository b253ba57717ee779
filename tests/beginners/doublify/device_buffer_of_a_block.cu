// cause: the buffer is a __device__ array of 256 cells: one for the whole grid, although each block needs its own
// first: race_global one_array
// says: blockIdx is not in the index, so every block uses the same elements
// asks: How many arrays buffer are there for all blocks together
__device__ float buffer[256];

extern "C" __global__ void doublify(float *a, int n)
{
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (i < n)
        buffer[t] = a[i];
    __syncthreads();
    if (i < n)
        a[i] = buffer[t] * 2.0f;
}
