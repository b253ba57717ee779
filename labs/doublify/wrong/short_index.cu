// expect: out_of_bounds narrow_index line=6 - the index is a short, which turns negative after 32767
extern "C" __global__ void doublify(float *a, int n)
{
    short i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] + a[i];
}
