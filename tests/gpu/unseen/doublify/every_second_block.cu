// every second block works, for two
extern "C" __global__ void doublify(float *a, int n)
{
    for (int k = 0; k < 2; k++) {
        int i = (blockIdx.x + k) * 256 + threadIdx.x;
        if (blockIdx.x % 2 == 0 && i < n)
            a[i] = 2.0f * a[i];
    }
}
