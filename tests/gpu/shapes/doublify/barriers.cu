// 100 barriers
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? a[i] : 0.0f, y = v;
    for (int k = 0; k < 50; k++) {
        s[threadIdx.x] = y;
        __syncthreads();
        y = s[(threadIdx.x + 1) % 256] + 1.0f;
        __syncthreads();
    }
    if (i < n)
        a[i] = y == -1.5e30f ? 0.0f : 2.0f * v;
}
