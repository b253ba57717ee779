// cause: the shares are added to what partial[0] holds already
// first: wrong_value doubled
// says: This is the total and partial[0] once more.
// asks: Where is partial[0] added?
__device__ float warp_sum(float v)
{
    for (int d = 16; d; d >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s;
    if (threadIdx.x == 0) s = 0.f;
    __syncthreads();
    int id = blockIdx.x * 256 + threadIdx.x;
    float v = 0.f;
    if (id < n) {
        float x = (float)id / n;
        v = 4.f / (1.f + x * x);
    }
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) atomicAdd(&s, v);
    __syncthreads();
    if (threadIdx.x == 0) partial[blockIdx.x] = s;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float v = 0.f;
    for (int b = threadIdx.x; b < blocks; b += 256) v += partial[b];
    v = warp_sum(v);
    __syncthreads();     // all have read
    if (threadIdx.x % 32 == 0) atomicAdd(&partial[0], v);
}
