// cause: The shared arrays have 128 places (line 5), but the default block has 256 threads: from thread 128 on line 13 and the next write beyond the end of the arrays.
// first: out_of_bounds cell
// says: write s_a[128], but s_a has 128 elements (0..127)
// asks: How many cells does s_a have
#define BLK 128

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s_a[BLK], s_b[BLK];
    const int tx = threadIdx.x;
    const int gx = blockIdx.x * blockDim.x + tx;

    s_a[tx] = (gx < n) ? a[gx] : 0.f;
    s_b[tx] = (gx < n) ? b[gx] : 0.f;
    __syncthreads();

    if (gx < n)
        c[gx] = s_a[tx] + s_b[tx];
}
