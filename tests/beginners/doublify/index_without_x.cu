// cause: blockIdx, blockDim and threadIdx are used without .x
// first: compile component
// says: blockIdx has three parts, .x, .y and .z.
// asks: Which one is meant?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx * blockDim + threadIdx;
    if (i < n)
        a[i] = a[i] * 2.0f;
}
