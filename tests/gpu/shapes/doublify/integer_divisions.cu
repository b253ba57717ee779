// 32 divisions by a number that the compiler does not know
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i];
        int y = i;
        for (int k = 1; k <= 32; k++)
            y = (y + 1000003 * k) / (n % 97 + k);
        a[i] = y == -1 ? 0.0f : 2.0f * v;
    }
}
