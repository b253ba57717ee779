// cause: The guard in line 10 compares threadIdx.x instead of i with n, so from two blocks on (n = 257, 1000, ...) threads with i >= n access all three arrays out of bounds.
// first: out_of_bounds guarded
// says: read b[257], but b has 257 elements (0..256)
// asks: Does it ask about the very index that is used, and about the length of b?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // Each thread computes one element of c. n = 1000 gets 4 blocks of 256: what should the last 24 threads do?
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < n)
        c[i] = a[i] + b[i];
    // --- end ---
}
