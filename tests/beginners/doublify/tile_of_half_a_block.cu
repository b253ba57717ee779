// cause: the tile has 128 cells for 256 threads
// first: out_of_bounds cell
// says: write tile[128], but tile has 128 elements (0..127)
// asks: How many cells does tile have, and how many threads come to line 13, each with an index of its own?
#define TILE 128

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float tile[TILE];
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;

    if (i < n) tile[tid] = a[i];
    __syncthreads();
    if (i < n) a[i] = tile[tid] * 2.0f;
}
