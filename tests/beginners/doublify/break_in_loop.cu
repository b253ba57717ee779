// cause: the loop is left at the first turn that is not the thread's own
// first: never_written elsewhere
// says: Line 10 stores a[0], and nothing else. Line 12 leaves the loop that stores, whatever it has left to do.
// asks: Which elements should line 10 store, and which does it store?
extern "C" __global__ void doublify(float *a, int n)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (k == me) {
            a[k] = 2.0f * a[k];
        } else {
            break;
        }
    }
}
