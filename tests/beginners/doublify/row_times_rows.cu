// cause: int in_block = threadIdx.y * blockDim.y + threadIdx.x; multiplies the row by the number of rows (8) instead of the row's length (32): rows overlap (race) and most of the block's elements are left out
// first: race_global update
// says: a[8] written by thread (8,0,0) (line 12) and read by thread (0,1,0) (line 12)
// asks: How many threads lie between one row of the block and the next one?
extern "C" __constant__ int doublify_block[3] = {32, 8, 1};   // a row is a warp

extern "C" __global__ void doublify(float *a, int n)
{
    int in_block = threadIdx.y * blockDim.y + threadIdx.x;
    int i = blockIdx.x * (blockDim.x * blockDim.y) + in_block;
    if (i < n) {
        a[i] *= 2.0f;
    }
}
