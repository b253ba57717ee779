// cause: all threads of the block add the block's sum
// first: wrong_value multiple
// says: This is 256 times the sum, and a block has as many threads.
// asks: Is it multiplied, or do several threads add the same value?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cell[256];
    __shared__ float total;
    int t = threadIdx.x, id = blockIdx.x * blockDim.x + t;
    float x = (float)id / n;
    cell[t] = id < n ? 4 / (1 + x * x) : 0;
    if (t == 0)
        total = 0;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d)
            cell[t] += cell[t + d];
        __syncthreads();
    }
    atomicAdd(&total, cell[0]);
    __syncthreads();
    if (t == 0)
        partial[blockIdx.x] = total;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < blocks; k++)
            sum += partial[k];
        partial[0] = sum;
    }
}
