// cause: two threads of a block work on each element, one stores a and the other adds b, without a barrier between the two steps (after line 16): race
// first: race_global
// says: no barrier between them
// asks: What must every thread of the block have finished
#define PIECE 256
extern "C" __constant__ int vector_add_items = PIECE;

// two threads for each element
extern "C" __global__ void __launch_bounds__(2 * PIECE) vector_add(const float *a, const float *b, float *c, int n)
{
    int k = threadIdx.x % PIECE;
    int part = threadIdx.x / PIECE;
    int i = blockIdx.x * PIECE + k;

    if (part == 0 && i < n)
        c[i] = a[i];

    if (part == 1 && i < n)
        c[i] += b[i];
}
