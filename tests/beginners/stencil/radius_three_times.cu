// cause: the tile begins at the first element, and cells go by 3 + t; the loop goes from 3 + t
// first: out_of_bounds shared
// says: read cells[262], but cells has 262 elements
// asks: How many cells does cells have, and which cells does the last thread of a block use?
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = i < n ? in[i] : 0;
    if (t < RADIUS) {
        int left = i - RADIUS, right = i + BLOCK;
        cells[t] = left >= 0 ? in[left] : 0;
        cells[RADIUS + BLOCK + t] = right < n ? in[right] : 0;
    }
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[RADIUS + t + k];
        }
        out[i] = sum;
    }
}
