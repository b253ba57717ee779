// cause: the share of a block is rounded down, so the remainder belongs to nobody
// first: wrong_value rest
// says: The sum of all 257 elements is too small by 2.0078, which is the value of the last element, number 256.
// asks: How many elements do all threads together take?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    // block distribution
    int share = n / gridDim.x;
    int begin = blockIdx.x * share;
    int end   = begin + share;

    float local = 0.0f;
    for (int id = begin + threadIdx.x; id < end; id += blockDim.x) {
        float x = (float) id / (float) n;
        local += 4.0f / (1.0f + x * x);
    }
    s[threadIdx.x] = local;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float local = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        local += partial[k];
    s[threadIdx.x] = local;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[0] = s[0];
}
