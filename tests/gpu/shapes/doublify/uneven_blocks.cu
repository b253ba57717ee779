// every 64th block makes 20000 turns of a loop
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a[i], y = v;
        int turns = blockIdx.x % 64 == 0 ? 20000 : 1;
        for (int k = 0; k < turns; k++)
            y = y * y + 0.5f;
        a[i] = y == -1.0f ? 0.0f : 2.0f * v;
    }
}
