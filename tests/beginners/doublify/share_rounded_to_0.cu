// cause: the share of a thread, n / threads, is rounded down (line 10) and is 0 unless n is a multiple of 256, so nothing is written
// first: never_written not_reached
// says: The last line that they ran is line 13
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *a, int n)
{
    int threads = gridDim.x * blockDim.x;
    int id = blockIdx.x * blockDim.x + threadIdx.x;

    int share = n / threads;              // elements per thread
    int from = id * share;
    int to = from + share;
    for (int k = from; k < to; k++)
        a[k] = 2.0f * a[k];
}
