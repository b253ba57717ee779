// cause: `for (int k = threadIdx.x; k < blocks; k += 256)` still strides by 256 although pi_finish now has 1024 threads: partial sums from 256 on are added by up to four threads
// first: wrong_value onwards
// says: This is the total if each thread begins with the element of its own number and goes on by 256, which is less than there are threads: partial[256] is then added by two of them.
// asks: By how much should the index grow from turn to turn?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float data[256];
    int id = blockIdx.x * 256 + threadIdx.x;
    float x = (float)id / n;
    data[threadIdx.x] = (id < n) ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (threadIdx.x < half) data[threadIdx.x] += data[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = data[0];
}

extern "C" __global__ void __launch_bounds__(1024) pi_finish(float *partial, int blocks)
{
    __shared__ float data[1024];
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256)
        sum += partial[k];
    data[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 512; half > 0; half >>= 1) {
        if (threadIdx.x < half) data[threadIdx.x] += data[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[0] = data[0];
}
