// cause: x is not squared; the array has another name
// first: wrong_value formula
// says: This is the sum if every element is 4 / (1 + x), without the square.
// asks: Compare the formula in the message with the one of the contract. Which sign, bracket or factor differs?
extern "C" __global__ void pi_sum(float *sums, int n)
{
    __shared__ float part[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * 256 + me;
    float v = 0;
    if (pos < n) {
        float x = (float)pos / n;
        v = 4.0f / (1.0f + x);
    }
    part[me] = v;
    __syncthreads();
    for (int d = 128; d >= 1; d >>= 1) {
        if (me < d)
            part[me] += part[me + d];
        __syncthreads();
    }
    if (me == 0)
        sums[blockIdx.x] = part[0];
}
extern "C" __global__ void pi_finish(float *sums, int blocks)
{
    __shared__ float part[256];
    int me = threadIdx.x;
    float v = 0;
    for (int b = me; b < blocks; b += 256)
        v += sums[b];
    part[me] = v;
    __syncthreads();
    for (int d = 128; d >= 1; d >>= 1) {
        if (me < d)
            part[me] += part[me + d];
        __syncthreads();
    }
    if (me == 0)
        sums[0] = part[0];
}
