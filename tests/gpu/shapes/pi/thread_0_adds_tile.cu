// thread 0 adds what the others left in shared memory
extern "C" __constant__ int pi_sum_items = 256;

__device__ float value(int id, int n)
{
    float x = (float)id / (float)n;
    return id < n ? (float)4 / ((float)1 + x * x) : (float)0;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = value(blockIdx.x * 256 + t, n);
    __syncthreads();
    if (t == 0) {
        double sum = 0.0;
        for (int k = 0; k < 256; k++)
            sum += s[k];
        partial[blockIdx.x] = (float)sum;
    }
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
