// cause: n / threads rounds down to 0, so the loop is not entered
// first: never_written not_reached
// says: a holds what it held before the launch: no element changed. Line 15 stores into a, but no thread came to it.
// asks: What sends the thread in the message past the store, and with which values?
/* each rank takes its part, like in the MPI exercise */
extern "C" __global__ void doublify(float *a, int n)
{
    int size  = gridDim.x * blockDim.x;
    int rank  = blockIdx.x * blockDim.x + threadIdx.x;
    int chunk = n / size;
    int lo    = rank * chunk;
    int hi    = lo + chunk;

    for (int i = lo; i < hi; i++)
        a[i] *= 2.0f;
}
