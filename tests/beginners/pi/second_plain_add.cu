// cause: all threads of a block add into s[0] with +=
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Several threads add to the same place. What happens if two of them read it before either writes?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sum;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    float x = (float)id / n;
    if (id < n)
        sum += 4.0f / (1.0f + x * x);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0)
        for (int k = 1; k < blocks; k++)
            partial[0] += partial[k];
}
