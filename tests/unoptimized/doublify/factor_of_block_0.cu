// cause: only block 0 writes the shared variable; the compiler takes its value for 2 everywhere
// line: 14
// says: a[256] is computed from factor, which was never written
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float factor;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i == 0)
        factor = 2.0f;
    __syncthreads();

    if (i < n)
        a[i] = factor * a[i];
}
