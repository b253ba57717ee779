// cause: the kernel asks for blocks of 128 threads but counts 256 elements per block in the index (line 9), so the second half of every 256 elements is never written
// first: never_written not_reached
// says: From one block to the next, the index of line 13 grows by 256
// asks: What sends the thread in the message past the store, and with which values?
#define THREADS_PER_BLOCK 256

extern "C" __global__ void __launch_bounds__(128) doublify(float *data, int count)
{
    int pos = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    if (pos < count) {
        float v = data[pos];
        v = 2.0f * v;
        data[pos] = v;
    }
}
