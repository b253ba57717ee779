// everything in double
extern "C" __constant__ int pi_sum_items = 4096;

__device__ double value(int id, int n)
{
    double x = (double)id / (double)n;
    return id < n ? (double)4 / ((double)1 + x * x) : (double)0;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ double s[256];
    int t = threadIdx.x;
    double sum = 0.0;
    for (int k = t; k < 4096; k += 256)
        sum += value(blockIdx.x * 4096 + k, n);
    s[t] = sum;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ double s[256];
    double sum = 0.0;
    for (int k = threadIdx.x; k < blocks; k += 256)
        sum += partial[k];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 256 / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[0] = (float)s[0];
}
