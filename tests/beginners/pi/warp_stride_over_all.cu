// cause: each block starts at its own elements and goes on to the end by its number of threads, as a helper has it
// first: wrong_value onwards
// says: those of block 1 count twice, those of block 2 three times, and so on.
// asks: By how much does the index grow from turn to turn?
__device__ float add_from(int first, int step, int n)
{
    float sum = 0.0f;
    for (int k = first; k < n; k += step) {
        float x = (float)k / (float)n;
        sum += 4.0f / (1.0f + x * x);
    }
    return sum;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cells[256];
    int t = threadIdx.x;
    cells[t] = add_from(blockIdx.x * 256 + t, 256, n);
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (t < d)
            cells[t] += cells[t + d];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = cells[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float part[256];
    float v = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x)
        v += partial[b];
    part[threadIdx.x] = v;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[0] = part[0];
}
