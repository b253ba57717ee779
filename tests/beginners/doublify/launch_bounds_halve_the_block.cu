// cause: the launch bounds ask for 128 threads, and the index counts 256
// first: never_written not_reached
// says: A block has 128 threads, as line 6 asks.
// asks: What sends the thread in the message past the store, and with which values?
// 128 threads per block gave me the best occupancy
extern "C" __global__ void __launch_bounds__(128) doublify(float *a, int n)
{
    const int BLOCK = 256;
    int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i < n)
        a[i] = a[i] * 2.0f;
}
