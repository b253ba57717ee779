// cause: Line 8 starts at threadIdx.x without the offset of the block, so all blocks compute the same elements (the first 256 of each round) and the others are never written (n >= 257).
// first: never_written overlap
// says: stores c[0..255]. Thread (0,0,0) of it stores c[0].
// asks: What is the index of line 10 made of
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // grid stride loop
    for (int i = threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        c[i] = a[i] + b[i];
    }
}
