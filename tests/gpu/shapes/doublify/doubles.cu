// 200 multiplications in double for nothing
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i];
        double y = v;
        for (int k = 0; k < 200; k++)
            y = y * y + 0.25;
        a[i] = y == -1.0 ? 0.0f : 2.0f * v;
    }
}
