// cause: the loop goes on by 2
// first: wrong_value part
// says: What pi_sum left is right. partial[2] is missing in the total.
// asks: Where should it be added?
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
    if (threadIdx.x == 0) {
        int b = 1;
        while (b < blocks) {
            partial[0] += partial[b];
            b = b + 2;
        }
    }
}
