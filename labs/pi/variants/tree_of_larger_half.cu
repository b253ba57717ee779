// expect: pass - a tree that keeps the larger half, so any number of cells will do
// blocks of 192 threads, 1920 elements each; a tree that keeps the larger half, so any number of cells will do
#define THREADS 192
#define ITEMS 1920
extern "C" __constant__ int pi_sum_block[3] = {THREADS, 1, 1};
extern "C" __constant__ int pi_sum_items = ITEMS;
extern "C" __constant__ int pi_finish_block[3] = {THREADS, 1, 1};

__device__ void tree(float *s)
{
    int t = threadIdx.x;
    int count = THREADS;
    __syncthreads();
    while (count > 1) {
        int half = (count + 1) / 2;
        if (t + half < count)
            s[t] += s[t + half];
        __syncthreads();
        count = half;
    }
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[THREADS];
    int end = (blockIdx.x + 1) * ITEMS;
    if (end > n) end = n;
    float sum = 0;
    for (int id = blockIdx.x * ITEMS + threadIdx.x; id < end; id += THREADS) {
        float x = (float)id / (float)n;
        sum += 4.0f / (1.0f + x * x);
    }
    s[threadIdx.x] = sum;
    tree(s);
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[THREADS];
    float sum = 0;
    for (int k = threadIdx.x; k < blocks; k += THREADS)
        sum += partial[k];
    s[threadIdx.x] = sum;
    tree(s);
    if (threadIdx.x == 0) partial[0] = s[0];
}
