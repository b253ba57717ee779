// cause: threadIdx.x * blockDim.x + threadIdx.y exchanges x and y for a block of 32 x 8: only y = 0..7 follow each multiple of 32, so elements 8..31 of each 32 are never written and indices run into the next blocks
// first: never_written elsewhere
// says: Line 13 stores c[0..7]. In thread (8,0,0), the index of line 13 is 256.
// asks: How many threads lie between one row of the block and the next one?
#define COLS 32
#define ROWS 8
extern "C" __constant__ int vector_add_block[3] = {COLS, ROWS, 1};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * COLS * ROWS + threadIdx.x * blockDim.x + threadIdx.y;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
