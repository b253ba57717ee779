// cause: every block goes over all elements
// first: wrong_value multiple
// says: This is 4 times the sum, and there are as many blocks.
// asks: Is it multiplied, or do several threads add the same value?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float acc = 0;
    for (int j = 0; j < n; j++) {
        float x = (float)j / n;
        acc += 4.0f / (1.0f + x * x);
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = acc;
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
