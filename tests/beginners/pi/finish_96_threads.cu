// cause: 96 threads halved: 3 becomes 1, and one cell is left over
// first: wrong_value part
// says: partial[2] is missing in the total.
// asks: Where should it be added?
extern "C" __constant__ int pi_finish_block[3] = {96, 1, 1};

__device__ void tree(float *c)
{
    int t = threadIdx.x;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            c[t] += c[t + half];
        __syncthreads();
    }
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float c[256];
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0;
    if (k < n) {
        float x = k / (float)n;
        value = 4 / (1 + x * x);
    }
    c[threadIdx.x] = value;
    tree(c);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = c[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float c[96];
    float value = 0;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        value += partial[k];
    c[threadIdx.x] = value;
    tree(c);
    if (threadIdx.x == 0)
        partial[0] = c[0];
}
