// cause: pi_finish: each thread takes one partial sum at most (line 27), so with more than 256 blocks the others are left out
// first: wrong_value tail
// says: This is the sum of partial[0..255], and there are 257 partial sums
// asks: How do the others get added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cell[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    float x = (float)id / n;
    cell[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int half = 128; half >= 1; half /= 2) {
        if (t < half)
            cell[t] += cell[t + half];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = cell[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float cell[256];
    int t = threadIdx.x;
    if (t < blocks)
        cell[t] = partial[t];
    else
        cell[t] = 0.0f;
    __syncthreads();
    for (int half = 128; half >= 1; half /= 2) {
        if (t < half)
            cell[t] += cell[t + half];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = cell[0];
}
