// expect: budget async_copy_bytes - right, but every sample is loaded 16 times, and nothing is copied
#define BLOCK 256
#define TILE 256
#define STRIP 8192
#define WEIGHTS 16

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *in, const float *weights, float *out, int n)
{
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int tiles = (results + TILE - 1) / TILE;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

    for (int t = 0; t < tiles; t++) {
        int r = t * TILE + threadIdx.x;
        if (r < results) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < WEIGHTS; k++) {
                sum += w[k] * in[first + r + k];
            }
            out[first + r] = sum;
        }
    }
}
