// expect: out_of_bounds - the tile has no cells for the halo
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
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
