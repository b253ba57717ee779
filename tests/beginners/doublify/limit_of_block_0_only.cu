// cause: a shared variable is set by thread 0 of block 0 only
// first: uninitialized shared_variable
// says: no thread of block (1,0,0) came there before.
// asks: Which thread of this block stores into limit, and when?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int limit;      // n in fast memory
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i == 0) {
        limit = n;
    }
    __syncthreads();

    if (i < limit)
        a[i] = 2.0f * a[i];
}
