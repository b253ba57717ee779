// expect: out_of_bounds line=5 - no guard: the last block has more threads than there are elements left
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 2.0f * a[i];
}
