// cause: the sums of the other warps are lost
// first: wrong_value period
// says: The grader put numbers of its own into partial. This is the sum of what the first warp adds if each of 256 threads t takes partial[t], partial[t + 256] and so on.
// asks: How do the sums of the other warps get added?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float part[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * 256 + me;
    float v = 0;
    if (pos < n) {
        float x = (float)pos / n;
        v = 4.0f / (1.0f + x * x);
    }
    part[me] = v;
    __syncthreads();
    for (int d = 128; d >= 1; d >>= 1) {
        if (me < d)
            part[me] += part[me + d];
        __syncthreads();
    }
    if (me == 0)
        partial[blockIdx.x] = part[0];
}
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float v = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) v += partial[b];
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x == 0) partial[0] = v;
}
