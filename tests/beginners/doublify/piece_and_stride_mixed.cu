// cause: int i = blockIdx.x * ITEMS + threadIdx.x * PER + k * blockDim.x; mixes the two ways to share a block (neighbouring elements and stride), so only multiples of 4 are touched, several of them by two threads
// first: never_written elsewhere
// says: Line 14 stores every 4th element from a[0] to a[12].
// asks: Which elements should line 14 store, and which does it store?
#define PER 4
#define ITEMS (256 * PER)
extern "C" __constant__ int doublify_items = ITEMS;

extern "C" __global__ void doublify(float *a, int n)
{
    for (int k = 0; k < PER; k++) {
        int i = blockIdx.x * ITEMS + threadIdx.x * PER + k * blockDim.x;
        if (i < n)
            a[i] = a[i] * 2;
    }
}
