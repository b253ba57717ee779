// cause: the first thread of the grid sets a shared variable, which the other blocks have for themselves
// first: uninitialized shared_variable
// says: no thread of block (1,0,0) came there before.
// asks: Which thread of this block stores into factor, and when?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float factor;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        factor = 2.0f * a[0] / a[0];
    __syncthreads();
    if (i < n)
        a[i] = factor * a[i];
}
