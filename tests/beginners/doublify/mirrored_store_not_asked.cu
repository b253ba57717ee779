// cause: if (i < n) a[base + r] = 2.0f * tile[r]; guards with i, but stores at base + r, the mirrored place: in the last block it stores beyond the end and leaves real elements untouched
// first: out_of_bounds guarded
// says: write a[255], but a has 1 element (0..0)
// asks: Does it ask about the very index that is used
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float tile[256];
    int base = blockIdx.x * blockDim.x;
    int i = base + threadIdx.x;
    int r = blockDim.x - 1 - threadIdx.x;

    if (i < n) tile[threadIdx.x] = a[i];
    __syncthreads();
    if (i < n) a[base + r] = 2.0f * tile[r];
}
