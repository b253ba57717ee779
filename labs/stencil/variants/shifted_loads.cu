// expect: pass - the tile is loaded from its first cell on, in two rounds; the loads begin in the middle of a sector
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int tile[BLOCK + 2 * RADIUS];
    int begin = blockIdx.x * BLOCK - RADIUS;
    for (int c = threadIdx.x; c < BLOCK + 2 * RADIUS; c += BLOCK) {
        int g = begin + c;
        tile[c] = (g >= 0 && g < n) ? in[g] : 0;
    }
    __syncthreads();
    int me = blockIdx.x * BLOCK + threadIdx.x;
    if (me >= n)
        return;
    int s = 0;
#pragma unroll
    for (int k = 0; k < 2 * RADIUS + 1; ++k)
        s += tile[threadIdx.x + k];
    out[me] = s;
}
