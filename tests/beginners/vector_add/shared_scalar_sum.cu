// cause: Line 7: sum is one shared variable for the whole block, all threads store their own sum into it in line 11 (race), and every element of the block gets the same one.
// first: race_warp one_variable
// says: there is one such variable for the whole block, and every thread that comes here uses it
// asks: How many variables sum are there for a block, and how many threads use it here? Whose value remains?
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
