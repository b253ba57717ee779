// 64 passes through one bank of shared memory
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float s[8][1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float v = i < n ? a[i] : 0.0f, y = v;
    for (int k = 0; k < 64; k++) {
        s[warp][lane * 32 + k % 32] = y;
        __syncwarp();
        y += s[warp][(lane ^ 1) * 32 + k % 32];
        __syncwarp();
    }
    if (i < n)
        a[i] = y == -1.5e30f ? 0.0f : 2.0f * v;
}
