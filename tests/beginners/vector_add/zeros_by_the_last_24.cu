// cause: c[i] = 0.0f; in the else branch is executed by the threads with i >= n, so it stores beyond the end of c
// first: out_of_bounds inverted
// says: write c[1], but c has 1 element (0..0)
// asks: Which threads come to this access: those that have an element of c, or the others?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // Each thread computes one element of c. n = 1000 gets 4 blocks of 256: what should the last 24 threads do?
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    } else {
        c[i] = 0.0f;    // the last 24 threads fill up with zeros
    }
    // --- end ---
}
