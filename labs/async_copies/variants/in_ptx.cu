/* filter: the copies, batches and waits in PTX. */
#define BLOCK 256
#define TILE 256
#define STRIP 8192
#define WEIGHTS 16
#define SAMPLES (TILE + WEIGHTS - 1)
#define STAGES 2

__device__ void start_copies(float *to, const float *from, int count)
{
    for (int s = threadIdx.x; s < count && s < SAMPLES; s += BLOCK) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&to[s])), "l"(&from[s])
                     : "memory");
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) filter(const float *in, const float *weights, float *out, int n)
{
    __shared__ float stages[STAGES][SAMPLES];
    int first = blockIdx.x * STRIP;
    int results = n - first < STRIP ? n - first : STRIP;
    int samples = results + WEIGHTS - 1;
    int tiles = (results + TILE - 1) / TILE;
    float w[WEIGHTS];
#pragma unroll
    for (int k = 0; k < WEIGHTS; k++) {
        w[k] = weights[k];
    }

    start_copies(stages[0], in + first, samples);
    asm volatile("cp.async.commit_group;" ::: "memory");

    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) {
            start_copies(stages[(t + 1) % STAGES], in + first + (t + 1) * TILE, samples - (t + 1) * TILE);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();

        int r = t * TILE + threadIdx.x;
        if (r < results) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < WEIGHTS; k++) {
                sum += w[k] * stages[t % STAGES][threadIdx.x + k];
            }
            out[first + r] = sum;
        }
        __syncthreads();
    }
}
