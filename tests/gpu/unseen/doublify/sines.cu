// a sine and a cosine for nothing
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i], y = 0.0f;
        for (int k = 0; k < 8; k++)
            y += __sinf(v + k) * __cosf(v - k);
        a[i] = y == -100.0f ? 0.0f : 2.0f * v;
    }
}
