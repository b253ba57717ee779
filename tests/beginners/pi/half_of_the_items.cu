// cause: `for (int j = 0; j < PER_THREAD; j++)` with PER_THREAD 4 and 128 threads covers 512 elements, but pi_sum_items and the base say 1024: the second half of each piece is never added (n = 1000 and more)
// first: wrong_value part
// says: This is the sum of the elements 0..511 alone.
// asks: Which thread should add the others, and in which step?
#define THREADS 128
#define ITEMS 1024
#define PER_THREAD 4
extern "C" __constant__ int pi_sum_items = ITEMS;

extern "C" __global__ void __launch_bounds__(THREADS) pi_sum(float *partial, int n)
{
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    float sum = 0;
    for (int j = 0; j < PER_THREAD; j++) {
        int id = blockIdx.x * ITEMS + j * THREADS + t;
        if (id < n) {
            float x = (float)id / n;
            sum += 4 / (1 + x * x);
        }
    }
    s[t] = sum;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void __launch_bounds__(THREADS) pi_finish(float *partial, int blocks)
{
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = t; k < blocks; k += THREADS) sum += partial[k];
    s[t] = sum;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) partial[0] = s[0];
}
