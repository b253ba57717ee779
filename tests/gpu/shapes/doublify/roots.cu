// 64 square roots for nothing
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i], y = v;
        for (int k = 0; k < 64; k++)
            y = sqrtf(y * y + 1.0f);
        a[i] = y == -1.0f ? 0.0f : 2.0f * v;
    }
}
