// cause: the loop begins at the first element of the block but ends at ITEMS instead of first + ITEMS (line 11), so all blocks but the first have no turn
// first: never_written not_reached
// says: Because of line 6, there is a block for every 1024 elements
// asks: What sends the thread in the message past the store, and with which values?
#define ITEMS 1024
extern "C" __constant__ int vector_add_items = ITEMS;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int first = blockIdx.x * ITEMS;
    for (int k = first + threadIdx.x; k < ITEMS && k < n; k += blockDim.x)
        c[k] = a[k] + b[k];
}
