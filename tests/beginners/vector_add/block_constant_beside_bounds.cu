// cause: extern "C" __constant__ int vector_add_block[3] = {64, 1, 1}; wins over __launch_bounds__(256), so blocks have 64 threads while the index counts with BLOCK = 256: three quarters of the elements are never written
// first: never_written not_reached
// says: A block has 64 threads, as line 6 asks. From one block to the next, the index of line 12 grows by 256.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256
extern "C" __constant__ int vector_add_block[3] = {64, 1, 1};

extern "C" __global__ void __launch_bounds__(BLOCK) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
