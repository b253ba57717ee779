// cause: does not compile: blockIdx, blockDim and threadIdx are structs and are multiplied without .x (line 7)
// first: compile component
// says: blockIdx has three parts, .x, .y and .z
// asks: Which one is meant?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx * blockDim + threadIdx;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
