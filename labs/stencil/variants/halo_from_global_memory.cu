// expect: pass - the tile has no halo; threads at its ends read what they miss from global memory
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    if (i < n)
        cells[t] = in[i];
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int d = -RADIUS; d <= RADIUS; d++) {
            if (i + d >= 0 && i + d < n)
                sum += t + d >= 0 && t + d < BLOCK ? cells[t + d] : in[i + d];
        }
        out[i] = sum;
    }
}
