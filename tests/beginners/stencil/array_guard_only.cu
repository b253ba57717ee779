// cause: asks whether the neighbour is in the array, not whether it is in the tile
// first: out_of_bounds shared
// says: read cells[256], but cells has 256 elements
// asks: How many cells does cells have, and which cells does the last thread of a block use?
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
                sum += cells[t + k];
        }
        out[i] = sum;
    }
}
