// cause: the first block is skipped
// first: never_written elsewhere
// says: In block (0,0,0), line 9 stores a[256], and nothing else.
// asks: Which elements should line 9 store, and which does it store?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
