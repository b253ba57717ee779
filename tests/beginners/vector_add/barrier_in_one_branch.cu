// cause: __syncthreads(); stands only in the branch of the threads below 128; the others go around it, so nothing orders their stores to sb with the reads in the last line
// first: early_exit passed_by
// says: Line 15 is inside the `if` of line 12.
// asks: What is around the barrier, or before it, that keeps them away?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sa[256], sb[256];
    int base = blockIdx.x * 256;
    int t = threadIdx.x;

    // 4 warps fetch a, the other 4 warps fetch b
    if (t < 128) {
        for (int k = t; k < 256; k += 128)
            if (base + k < n) sa[k] = a[base + k];
        __syncthreads();
    } else {
        for (int k = t - 128; k < 256; k += 128)
            if (base + k < n) sb[k] = b[base + k];
    }

    if (base + t < n)
        c[base + t] = sa[t] + sb[t];
}
