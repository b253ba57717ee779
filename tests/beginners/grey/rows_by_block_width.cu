// cause: The row is computed with blockDim.x (32) where a block is blockDim.y (8) rows high, so three quarters of the rows get no thread
// first: never_written elsewhere
// says: row = threadIdx.y + blockDim.x*blockIdx.y = 0 + 32*1 = 32
// asks: Which elements should line 25 store, and which does it store?
// I want a whole warp in each row
extern "C" __constant__ int to_grey_block[3] = {32, 8, 1};

__constant__ int factor[3] = {77, 150, 29};

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width,
                                   int pitch)
{
    // Each thread makes one pixel. In which row and column is it, and is it in the picture at all?
    int column = threadIdx.x + blockDim.x * blockIdx.x;
    int row = threadIdx.y + blockDim.x * blockIdx.y;
    bool inside = column < width && row < height;
    if (!inside)
        return;

    int first = row * pitch + column * 3;
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 3; k++)
        sum += factor[k] * colour[first + k];
    grey[row * width + column] = sum / 256;
}
