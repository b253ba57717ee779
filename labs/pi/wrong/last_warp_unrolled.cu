// expect: race_volatile - second plan: the last warp without __syncwarp, as on old slides
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float s[256];
    int tid = threadIdx.x;
    int id = blockIdx.x * blockDim.x + tid;
    float x = (float)id / n;
    s[tid] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int h = 128; h > 32; h /= 2) {
        if (tid < h)
            s[tid] += s[tid + h];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float *v = s;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0)
        partial[blockIdx.x] = s[0];
}
extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < blocks; k++)
            sum += partial[k];
        partial[0] = sum;
    }
}
