// cause: __launch_bounds__ asks for 32 threads, and the index counts 256
// first: never_written not_reached
// says: buf[32] still holds what it held before the launch: no thread changed the last of the 33 elements. Line 9 stores into buf, but no thread of block (1,0,0) came to it. The last line that they ran is line 8. A block has 32 threads, as line 5 asks.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void __launch_bounds__(32) doublify(float *buf, int total)
{
    int at = blockIdx.x * 256 + threadIdx.x;
    if (at < total)
        buf[at] *= 2;
}
