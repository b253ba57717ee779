// cause: <= lets neighbouring shares overlap
// first: wrong_value one_more
// says: the value of an element is between 2 and 4.
// asks: Is an element counted twice?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    if (threadIdx.x != 0) return;
    int share = (n + gridDim.x - 1) / gridDim.x;
    float sum = 0;
    for (int k = blockIdx.x * share; k <= (blockIdx.x + 1) * share && k < n; k++) {
        float x = (float)k / n;
        sum += 4.0f / (1.0f + x * x);
    }
    partial[blockIdx.x] = sum;
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
