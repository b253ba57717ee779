// cause: thread 0 doubles once more the elements of the last block
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: Does the one thread need what the other one stores?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2.0f;

    // the rest that does not fill a whole block
    if (i == 0) {
        int rest = n % blockDim.x;
        for (int k = n - rest; k < n; k++)
            a[k] *= 2.0f;
    }
}
