// expect: out_of_bounds line=6 - looks behind the array for a left-over result
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i + n + 16384];
}
