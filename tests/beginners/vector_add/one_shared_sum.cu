// cause: the variable for the sum is __shared__ (line 7), one for all threads of the block: each thread overwrites what the others have stored, a race
// first: race_warp one_variable
// says: there is one such variable for the whole block
// asks: Whose value remains?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float sum;                 // fast memory
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum = a[i] + b[i];
    __syncthreads();                      // the sum is ready
    if (i < n)
        c[i] = sum;
}
