// cause: each value is multiplied by 1/n
// first: wrong_value divided
// says: This is the sum divided by n.
// asks: Who divides by n, and when?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float part[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * 256 + me;
    float dx = 1.0f / n;
    float v = 0;
    if (pos < n) {
        float x = pos * dx;
        v = dx * 4.0f / (1.0f + x * x);
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
    for (int b = me; b < blocks; b += 256)
        v += partial[b];
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
