// the threads of a block in reverse, four elements apart
extern "C" __global__ void doublify(float *a, int n)
{
    int t = 255 - threadIdx.x;
    int i = blockIdx.x * 256 + (t % 64) * 4 + t / 64;
    if (i < n)
        a[i] = 2.0f * a[i];
}
