// cause: for (int r = 0; r < ITEMS / BLOCK; r++) makes 1000 / 256 = 3 rounds, 768 of the block's 1000 elements; the other 232 are never doubled
// first: never_written elsewhere
// says: no thread changed the last 232 of the 1000 elements. Line 15 stores a[0..767].
// asks: Which elements should line 15 store, and which does it store?
#define BLOCK 256
#define ITEMS 1000
extern "C" __constant__ int doublify_items = ITEMS;

extern "C" __global__ void __launch_bounds__(BLOCK) doublify(float *a, int n)
{
    int first = blockIdx.x * ITEMS;
    for (int r = 0; r < ITEMS / BLOCK; r++) {
        int i = first + r * BLOCK + threadIdx.x;
        if (i < n)
            a[i] = a[i] * 2.0f;
    }
}
