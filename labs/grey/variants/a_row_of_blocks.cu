// expect: pass - blocks of 256 x 1 threads: a warp reads 32 neighbours of one row
extern "C" __constant__ int to_grey_block[3] = {256, 1, 1};

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
