// expect: budget global_load_sectors - right, but each thread loads all seven elements of its window from global memory
#define BLOCK 256
#define RADIUS 3

extern "C" __global__ void __launch_bounds__(BLOCK) stencil(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int k = max(i - RADIUS, 0); k <= min(i + RADIUS, n - 1); k++) {
            sum += in[k];
        }
        out[i] = sum;
    }
}
