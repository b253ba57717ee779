// cause: `for (int k = ...; k < n; k += gridDim.x)` strides by the number of blocks instead of the number of threads, so elements are added by several threads
// first: wrong_value onwards
// says: This is the sum if each thread begins with the element of its own number and goes on by 2, the number of blocks: element 2 is then added by two threads, element 4 by three, and so on.
// asks: By how much should the index grow from turn to turn?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cache[256];
    float temp = 0.0f;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x) {
        float x = (float)k / n;
        temp += 4.0f / (1.0f + x * x);
    }
    cache[threadIdx.x] = temp;
    __syncthreads();

    int i = blockDim.x / 2;
    while (i != 0) {
        if (threadIdx.x < i)
            cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
        i /= 2;
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = cache[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float cache[256];
    float temp = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        temp += partial[k];
    cache[threadIdx.x] = temp;
    __syncthreads();

    int i = blockDim.x / 2;
    while (i != 0) {
        if (threadIdx.x < i)
            cache[threadIdx.x] += cache[threadIdx.x + i];
        __syncthreads();
        i /= 2;
    }
    if (threadIdx.x == 0)
        partial[0] = cache[0];
}
