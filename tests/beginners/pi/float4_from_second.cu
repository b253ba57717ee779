// cause: `const float4 *rest = (const float4 *)(partial + 1);` is not a multiple of 16 bytes, so the load of a float4 is misaligned as soon as blocks is 5 or more
// first: misaligned
// says: read of 16 bytes at an address that is not a multiple of 16 (byte 4 of partial)
// asks: Which alignment does this access require?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int tid = threadIdx.x;
    int id = blockIdx.x * blockDim.x + tid;
    s[tid] = 0.0f;
    if (id < n) {
        float x = (float)id / n;
        s[tid] = 4.0f / (1.0f + x * x);
    }
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) s[tid] += s[tid + d];
    }
    if (tid == 0) partial[blockIdx.x] = s[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    int tid = threadIdx.x;
    // partial[0] is where the sum goes, the rest is added to it, four at a time
    float sum = tid == 0 ? partial[0] : 0.0f;
    const float4 *rest = (const float4 *)(partial + 1);
    int fours = (blocks - 1) / 4;
    for (int k = tid; k < fours; k += 256) {
        float4 v = rest[k];
        sum += v.x + v.y + v.z + v.w;
    }
    for (int k = 1 + 4 * fours + tid; k < blocks; k += 256)
        sum += partial[k];
    s[tid] = sum;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) s[tid] += s[tid + d];
    }
    if (tid == 0) partial[0] = s[0];
}
