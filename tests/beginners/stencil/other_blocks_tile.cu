// cause: reads the halo from the cells of the neighbouring block, as if there were one array for all blocks
// first: wrong_value exchanged
// says: No thread of the block that stores out[253] reads it
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
        for (int k = -RADIUS; k <= RADIUS; k++) {
            if (i + k >= 0 && i + k < n)
                sum += cells[(t + k + BLOCK) % BLOCK];
        }
        out[i] = sum;
    }
}
