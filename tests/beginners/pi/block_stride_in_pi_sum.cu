// cause: the stride is blockDim.x and not blockDim.x * gridDim.x, so every block runs through the elements behind its own, too, and these are counted several times
// first: wrong_value onwards
// says: those of block 1 count twice, those of block 2 three times, and so on.
// asks: By how much does the index grow from turn to turn?
__device__ inline float circle(float x)
{
    return 4.0f / (1.0f + x * x);
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    float sum = 0.0f;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += blockDim.x)
        sum += circle((float)k / n);
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        sum += partial[k];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[0] = s[0];
}
