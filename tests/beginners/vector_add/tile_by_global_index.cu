// cause: Line 12 (and the lines that follow): the shared arrays of 256 elements are indexed with the global i instead of threadIdx.x, out of bounds in every block but the first (n > 256).
// first: out_of_bounds shared
// says: write sa[256], but sa has 256 elements (0..255)
// asks: How many elements does sa have, and from which parts is this index made?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[256];
    __shared__ float sb[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        sa[i] = a[i];
        sb[i] = b[i];
    }
    __syncthreads();
    if (i < n)
        c[i] = sa[i] + sb[i];
}
