// cause: the shuffles stop at half a warp
// first: wrong_value part
// says: This is the sum of the elements 0..15 alone.
// asks: Which thread should add the others, and in which step?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float y = 0;
    if (t < n) { float x = t / (float)n; y = 4.f / (1.f + x * x); }
    for (int k = 1; k < 16; k *= 2) y += __shfl_xor_sync(0xffffffff, y, k);
    __shared__ float acc;
    if (threadIdx.x == 0) acc = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) atomicAdd(&acc, y);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = acc;
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
