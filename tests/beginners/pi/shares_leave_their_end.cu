// cause: the loop of each thread stops one short of its share of 8, so elements 7, 15 and so on are left out
// first: wrong_value rest
// says: which is what the elements 7, 15 and so on have together, one in every 8.
// asks: Which thread should take element 7, and why does it not?
#define EACH 8
extern "C" __constant__ int pi_sum_items = 256 * EACH;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sum[256];
    int t = threadIdx.x;
    int first = (blockIdx.x * 256 + t) * EACH;
    int last = first + EACH;
    float mine = 0.0f;
    for (int k = first; k < last - 1 && k < n; k++) {
        float x = (float)k / n;
        mine += 4.0f / (1.0f + x * x);
    }
    sum[t] = mine;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            sum[t] += sum[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = sum[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float sum[256];
    int t = threadIdx.x;
    float mine = 0.0f;
    for (int k = t; k < blocks; k += 256)
        mine += partial[k];
    sum[t] = mine;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            sum[t] += sum[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = sum[0];
}
