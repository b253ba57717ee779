// cause: n*n + id*id is computed in int
// first: wrong_value overflow
// says: This is the sum if every element is 4*n*n / (n*n + id*id) with the sum below the line computed as an int: 65537*65537 = 4295098369 does not fit in 32 bits and becomes 131073.
// asks: How large is the largest int?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float part[256];
    int me = threadIdx.x;
    int pos = blockIdx.x * 256 + me;
    part[me] = 0;
    if (pos < n)
        part[me] = 4.0f * n * n / (n * n + pos * pos);
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
