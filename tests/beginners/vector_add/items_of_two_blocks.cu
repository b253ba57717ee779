// cause: the constant gives a block 512 elements, of which the kernel takes one for each of its 256 threads
// first: never_written items
// says: Element 256 of c, the last, was never written. Line 10 stores c[0..255]. Because of line 5, there is a block for every 512 elements.
// asks: For how many elements does the lab start one block, and how many elements does a block of this kernel store?
extern "C" __constant__ int vector_add_items = 512;
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        c[k] = a[k] + b[k];
}
