// cause: mine[i] *= 2.0f; uses the global index on a pointer that already points to the block's part, so blocks from 1 on are offset twice: out of bounds and elements left out
// first: out_of_bounds guarded
// says: read a[512], but a has 257 elements (0..256)
// asks: Does it ask about the very index that is used
extern "C" __global__ void doublify(float *a, int n)
{
    // pointer to the part of my block
    float *mine = a + blockIdx.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        mine[i] *= 2.0f;
}
