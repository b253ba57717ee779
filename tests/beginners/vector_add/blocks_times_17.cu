// cause: unsigned block = blockIdx.x * 17u % gridDim.x; visits every block only if gridDim.x is not a multiple of 17; n = 100003 has 391 = 17 * 23 blocks, so only 23 of them are computed and the rest is never written
// first: never_written overlap
// says: Thread (0,0,0) of it stores c[4352]. Thread (0,0,0) of block (24,0,0) has this index, too.
// asks: What is the index of line 11 made of
// neighbouring blocks work far apart, so that all memory channels are busy
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    unsigned block = blockIdx.x * 17u % gridDim.x;
    unsigned i = block * blockDim.x + threadIdx.x;
    if (i < (unsigned)n) {
        c[i] = a[i] + b[i];
    }
}
