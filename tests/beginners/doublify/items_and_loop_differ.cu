// cause: the constant gives a block 2048 elements, and the loop takes 1024
// first: never_written items
// says: a[2048..4094] still hold what they held before the launch: no thread changed the last 2047 of the 4095 elements. In block (1,0,0), line 11 stores a[1024..2047]. Because of line 6, there is a block for every 2048 elements.
// asks: For how many elements does the lab start one block, and how many elements does a block of this kernel store?
#define PER_BLOCK 1024
extern "C" __constant__ int doublify_items = 2048;
extern "C" __global__ void doublify(float *a, int n)
{
    int begin = blockIdx.x * PER_BLOCK;
    for (int k = begin + threadIdx.x; k < begin + PER_BLOCK && k < n; k += blockDim.x)
        a[k] += a[k];
}
