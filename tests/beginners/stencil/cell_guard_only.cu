// cause: leaves out the neighbours that are not in the tile, at the ends of each block
// first: wrong_value missing
// says: No thread of the block that stores out[253] reads it, and no block sees another one's shared memory
// asks: Which thread of that block should load it, and into which cell?
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = t - RADIUS; k <= t + RADIUS; k++) {
            if (k >= 0 && k < BLOCK)
                sum += cells[k];
        }
        out[i] = sum;
    }
}
