// cause: the loop over the block's piece steps by the whole grid
// first: never_written elsewhere
// says: 3071 of 4095 elements of buf, the first of them buf[256], still hold what they held before the launch. In block (0,0,0), line 12 stores buf[0..255]. Because of line 5, there is a block for every 1024 elements.
// asks: Which elements should line 12 store, and which does it store?
extern "C" __constant__ int doublify_items = 1024;
extern "C" __global__ void doublify(float *buf, int total)
{
    int start = blockIdx.x * 1024;
    int stop = start + 1024;
    if (stop > total) stop = total;
    for (int at = start + threadIdx.x; at < stop; at += 256 * gridDim.x)
        buf[at] *= 2;
}
