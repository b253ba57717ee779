// cause: pi_finish has no loop: partial[256] and what follows is not added
// first: wrong_value tail
// says: This is the sum of partial[0..255], and there are 257 partial sums.
// asks: How do the others get added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cells[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    float x = (float)id / (float)n;
    cells[t] = (id < n) ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int w = 128; w >= 1; w = w / 2) {
        if (t < w)
            cells[t] = cells[t] + cells[t + w];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = cells[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float cells[256];
    int t = threadIdx.x;
    cells[t] = (t < blocks) ? partial[t] : 0.0f;
    __syncthreads();
    for (int w = 128; w >= 1; w = w / 2) {
        if (t < w)
            cells[t] = cells[t] + cells[t + w];
        __syncthreads();
    }
    if (t == 0)
        partial[0] = cells[0];
}
