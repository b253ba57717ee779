// cause: pi_sum: only thread 0 of the whole grid stores (line 21: id == 0 instead of threadIdx.x == 0), so all elements of partial but the first are never written
// first: never_written not_reached
// says: The last line that they ran is line 21
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    s[t] = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        s[t] = 4.0f / (1.0f + x * x);
    }
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (id == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void __launch_bounds__(512) pi_finish(float *sums, int count)
{
    __shared__ float c[512];
    float v = 0.0f;
    for (int k = threadIdx.x; k < count; k += 512)
        v += sums[k];
    c[threadIdx.x] = v;
    __syncthreads();
    for (unsigned stride = 256; stride; stride >>= 1) {
        if (threadIdx.x < stride)
            c[threadIdx.x] += c[threadIdx.x + stride];
        __syncthreads();
    }
    if (!threadIdx.x)
        sums[0] = c[0];
}
