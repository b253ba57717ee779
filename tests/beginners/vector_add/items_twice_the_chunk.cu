// cause: Line 7: items says that a block covers 2048 elements, but the kernel covers CHUNK = 1024 per block, so there are too few blocks and the end of c is never written (n > 1024).
// first: never_written items
// says: Element 1024 of c, the last, was never written. Line 15 stores c[0..1023]. Because of line 7, there is a block for every 2048 elements.
// asks: For how many elements does the lab start one block
#define CHUNK 1024

extern "C" __constant__ int vector_add_items = 2048;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int start = blockIdx.x * CHUNK;
    for (int k = threadIdx.x; k < CHUNK; k += blockDim.x) {
        int i = start + k;
        if (i < n)
            c[i] = a[i] + b[i];
    }
}
