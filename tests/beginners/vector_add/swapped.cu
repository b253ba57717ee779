// cause: writes into a instead of c (cast away const)
// first: read_only_write
// says: write a[0], but a is an input of this kernel
// asks: Which array does your kernel store to? Which one should it?
extern "C" __global__ void vector_add(float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] + b[i];
}
