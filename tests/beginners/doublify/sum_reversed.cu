// cause: =+ stores instead of adding
// first: never_written dropped
// says: a holds what it held before the launch: no element changed. Line 9 stores into a, but the compiler has
// asks: Read the operator character by character: what does it store?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        a[i] =+ a[i];
}
