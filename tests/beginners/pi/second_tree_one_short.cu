// cause: the tree stops one step early, so cell 1 is never added to cell 0
// first: wrong_value part
// says: This is the sum of the elements with an even index.
// asks: Which thread should add the others, and in which step?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cell[256];
    int t = threadIdx.x;
    int id = blockIdx.x * blockDim.x + t;
    float x = (float)id / (float)n;
    cell[t] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();

    int s = blockDim.x;
    while ((s >>= 1) > 1) {
        if (t < s)
            cell[t] += cell[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = cell[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float sum = 0;
    if (threadIdx.x > 0) return;
    for (int b = 0; b != blocks; b++)
        sum += partial[b];
    partial[0] = sum;
}
