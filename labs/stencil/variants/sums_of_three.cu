// expect: pass - two steps: sums of three neighbours into a second tile, and out of it the sums of seven
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int one[BLOCK + 6], three[BLOCK + 6];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    for (int c = t; c < BLOCK + 6; c += BLOCK) {
        int from = blockIdx.x * BLOCK - 3 + c;
        one[c] = from < 0 || from >= n ? 0 : in[from];
    }
    __syncthreads();
    for (int c = t + 1; c < BLOCK + 5; c += BLOCK)
        three[c] = one[c - 1] + one[c] + one[c + 1];
    __syncthreads();
    if (i < n)
        out[i] = three[t + 1] + one[t + 3] + three[t + 5];
}
