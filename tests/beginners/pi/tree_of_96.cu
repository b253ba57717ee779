// cause: pi_sum: halves 96 cells down to 3 and then to 1 (line 17), so one of three cells is left out in the last step
// first: wrong_value halved
// says: It comes to 3, and half of that is rounded down to 1
// asks: How many values are added in each turn of this loop
#define THREADS 96
extern "C" __constant__ int pi_sum_block[3] = {THREADS, 1, 1};

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[THREADS];
    const int t = threadIdx.x;
    const int id = blockIdx.x * THREADS + t;
    const float x = (float)id / (float)n;
    s[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();

    for (int half = THREADS / 2; half > 0; half = half / 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float everything;
    if (threadIdx.x == 0) everything = 0.0f;
    __syncthreads();
    float mine = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        mine += partial[k];
    atomicAdd(&everything, mine);
    __syncthreads();
    if (threadIdx.x == 0) partial[0] = everything;
}
