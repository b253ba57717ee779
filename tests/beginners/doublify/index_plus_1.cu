// cause: the index begins at 1
// first: never_written elsewhere
// says: Line 8 stores a[1..15].
// asks: Which elements should line 8 store, and which does it store?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n) a[i] = 2.0f * a[i];
}
