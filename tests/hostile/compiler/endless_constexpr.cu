// expect: compile - the compiler is to compute for ever
__device__ constexpr int spin(int n) { int k = 0; while (true) k += n & 1; return k; }
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    constexpr int value = spin(1);
    if (i < n)
        a[i] = value;
}
