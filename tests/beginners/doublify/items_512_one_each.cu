// cause: doublify_items = 512 halves the number of blocks (line 6), but every thread still takes only one element, so the rest of the array is never written
// first: never_written items
// says: Because of line 6, there is a block for every 512 elements
// asks: For how many elements does the lab start one block, and how many elements does a block of this kernel store?
#define BLOCK 256
extern "C" __constant__ int doublify_items = 2 * BLOCK;   // two elements for each thread

extern "C" __global__ void __launch_bounds__(BLOCK) doublify(float *a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
