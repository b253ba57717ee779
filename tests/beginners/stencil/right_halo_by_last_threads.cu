// cause: the last three threads fill the right halo, three cells too far to the left: over their own elements
// first: uninitialized stored_cells
// says: out[253] is computed from cells[259], which was never written
// asks: Which cells of cells should these lines fill, and which do they fill?
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    __shared__ int cells[RADIUS + BLOCK + RADIUS];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    cells[RADIUS + t] = i < n ? in[i] : 0;
    if (t < RADIUS)
        cells[t] = i >= RADIUS ? in[i - RADIUS] : 0;
    if (t >= BLOCK - RADIUS)
        cells[RADIUS + t] = i + RADIUS < n ? in[i + RADIUS] : 0;
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
