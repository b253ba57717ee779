// cause: `for (int d = THREADS / 2; d > 0; d /= 2)` halves 96 to 48, 24, 12, 6, 3, 1: in the step from 3 to 1 the cell s[2] is left out, so part of each sum is lost
// first: wrong_value rest
// says: The sum is too small by 31.468, which is what the elements 2, 5 and so on have together, one in every 3.
// asks: Which thread should take element 2, and why does it not?
#define THREADS 96

extern "C" __constant__ int pi_sum_block[3] = {THREADS, 1, 1};

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[THREADS];
    const int t = threadIdx.x;
    const int id = blockIdx.x * THREADS + t;
    s[t] = 0.0f;
    if (id < n) {
        const float x = (float)id / n;
        s[t] = 4.0f / (1.0f + x * x);
    }
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = 0.0f;
    for (int k = t; k < blocks; k += 256)
        s[t] += partial[k];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = s[0];
}
