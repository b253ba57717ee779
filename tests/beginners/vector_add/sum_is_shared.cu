// cause: sum is one variable for the whole block
// first: race_warp one_variable
// says: shared variable sum written by
// asks: How many variables sum are there for a block
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        sum = a[i] + b[i];
    __syncthreads();
    if (i < n)
        c[i] = sum;
}
