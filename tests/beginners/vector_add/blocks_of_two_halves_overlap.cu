// cause: int i = blockIdx.x * blockDim.x + threadIdx.x; advances by 256 per block although each block has to cover 512 elements (vector_add_items), so blocks overlap and the end is never written
// first: never_written overlap
// says: In block (1,0,0), line 13 stores c[256..511], line 15 stores c[512..767]. Because of line 5, there is a block for every 512 elements.
// asks: What is the index of line 15 made of
extern "C" __constant__ int vector_add_items = 512;     // two per thread

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = i + blockDim.x;

    if (i < n)
        c[i] = a[i] + b[i];
    if (j < n)
        c[j] = a[j] + b[j];
}
