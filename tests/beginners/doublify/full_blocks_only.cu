// cause: the guard lets only full blocks work, as n / blockDim.x is rounded down (line 8); the elements of the last, incomplete block are never written
// first: never_written not_reached
// says: The last line that they ran is line 8
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *a, int n)
{
    // blocks beyond the end of the array have nothing to do
    if (blockIdx.x < n / blockDim.x) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        a[i] = 2.0f * a[i];
    }
}
