// cause: the array lacks __shared__, so each thread has an array of its own, and cache[t + s] was never written in it
// first: not_shared
// says: cache is declared without __shared__, so each thread has an array of its own
// asks: Which threads store into this array, and which ones read what was stored?
const int THREADS = 256;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    float cache[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * THREADS + t;
    float x = (float)i / n;
    cache[t] = (i < n) ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s)
            cache[t] = cache[t] + cache[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = cache[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float cache[THREADS];
    int t = threadIdx.x;
    cache[t] = 0.0f;
    for (int b = t; b < blocks; b += THREADS)
        cache[t] += partial[b];
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s)
            cache[t] = cache[t] + cache[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = cache[0];
}
