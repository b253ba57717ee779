// expect: wrong_value - second plan: the shared array is int, so each value loses its fraction
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ int s[256];
    int tid = threadIdx.x;
    int id = blockIdx.x * blockDim.x + tid;
    float x = (float)id / n;
    s[tid] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int h = 128; h > 0; h >>= 1) {
        if (tid < h)
            s[tid] += s[tid + h];
        __syncthreads();
    }
    if (tid == 0)
        partial[blockIdx.x] = s[0];
}
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    int tid = threadIdx.x;
    float sum = 0;
    for (int k = tid; k < blocks; k += 256)
        sum += partial[k];
    s[tid] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (tid < h)
            s[tid] += s[tid + h];
        __syncthreads();
    }
    if (tid == 0)
        partial[0] = s[0];
}
