// cause: threadIdx and blockIdx are exchanged in the index
// first: never_written elsewhere
// says: arr[1..15] still hold what they held before the launch: no thread changed the last 15 of the 16 elements. Line 9 stores arr[0], and nothing else.
// asks: Which elements should line 9 store, and which does it store?
extern "C" __global__ void doublify(float *arr, int len)
{
    int me = threadIdx.x * blockDim.x + blockIdx.x;
    if (me < len)
        arr[me] = arr[me] * 2;
}
