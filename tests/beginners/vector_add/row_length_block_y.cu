// cause: Line 10: a row of the block has blockDim.x = 64 threads, not blockDim.y = 4, so local only goes up to 75: the elements 76 to 255 of each block are never written, and others are written by several threads.
// first: never_written overlap
// says: Elements 76..254 of c, the last ones, were never written. Line 13 stores c[0..75]. Thread (12,1,0) stores c[16]. Thread (16,0,0) of the same block has this index, too. Because of line 6, there is a block for every 256 elements.
// asks: Line 10 first: How many threads lie between one row of the block and the next one?
extern "C" __constant__ int vector_add_block[3] = {64, 4, 1};
extern "C" __constant__ int vector_add_items = 256;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int local = threadIdx.y * blockDim.y + threadIdx.x;
    int i = blockIdx.x * 256 + local;
    if (i < n)
        c[i] = a[i] + b[i];
}
