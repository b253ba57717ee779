// cause: an if where a loop is needed
// first: wrong_value tail
// says: The grader put numbers of its own into partial. This is the sum of partial[0..255], and there are 257 partial sums.
// asks: How do the others get added?
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
    __shared__ float part[256];
    int me = threadIdx.x;
    float v = 0;
    if (me < blocks)
        v = partial[me];
    part[me] = v;
    __syncthreads();
    for (int d = 128; d >= 1; d >>= 1) {
        if (me < d)
            part[me] += part[me + d];
        __syncthreads();
    }
    if (me == 0)
        partial[0] = part[0];
}
