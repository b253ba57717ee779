// cause: only the thread with global id 0 stores, so every block but block 0 never writes its partial sum
// first: never_written not_reached
// says: Line 26 stores into partial, but no thread of block (1,0,0) came to it. The last line that they ran is line 25.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cache[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int ci = threadIdx.x;

    if (id < n) {
        float x = (float)id / n;
        cache[ci] = 4.0f / (1.0f + x * x);
    } else {
        cache[ci] = 0.0f;
    }
    __syncthreads();

    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (ci < i)
            cache[ci] += cache[ci + i];
        __syncthreads();
    }

    if (id == 0)
        partial[blockIdx.x] = cache[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float cache[256];
    int ci = threadIdx.x;
    float temp = 0.0f;
    for (int k = ci; k < blocks; k += blockDim.x)
        temp += partial[k];
    cache[ci] = temp;
    __syncthreads();

    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (ci < i)
            cache[ci] += cache[ci + i];
        __syncthreads();
    }

    if (ci == 0)
        partial[0] = cache[0];
}
