// cause: the constant gives all elements to one block, which takes one for each thread
// first: never_written items
// says: x[256] still holds what it held before the launch: no thread changed the last of the 257 elements. Line 11 stores x[0..255]. Because of line 5, there is a block for every 100000 elements.
// asks: For how many elements does the lab start one block, and how many elements does a block of this kernel store?
extern "C" __constant__ int doublify_items = 100000;
extern "C" __global__ void doublify(float *x, int len)
{
    int id = threadIdx.x + blockDim.x * blockIdx.x;
    if (id >= len)
        return;
    x[id] = 2 * x[id];
}
