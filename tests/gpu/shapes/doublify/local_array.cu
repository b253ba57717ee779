// an array of each thread that is indexed by data
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float own[64];
        for (int k = 0; k < 64; k++)
            own[k] = a[i] + k;
        int at = i % 64;
        float y = 0.0f;
        for (int k = 0; k < 64; k++) {
            y += own[at];
            at = (at * 5 + 3) % 64;
        }
        a[i] = y == -1.5e30f ? 0.0f : 2.0f * a[i];
    }
}
