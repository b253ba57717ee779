// cause: partial[0] in every turn
// first: wrong_value exchanged
// says: sum is made of 2 x partial[0], and should be made of partial[0..1].
// asks: Which line should read it, and with which index?
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
    if (threadIdx.x != 0) return;
    float t = 0;
    for (int b = 0; b < blocks; b++) t += partial[0];
    partial[0] = t;
}
