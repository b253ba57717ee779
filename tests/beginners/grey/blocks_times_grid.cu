// cause: the number of the block is multiplied by the extent of the grid
// first: never_written overlap
// says: In block (1,0,0), line 12 stores elements from grey[row 0, column 2]
// asks: Two blocks make the same pixels.
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * gridDim.x + threadIdx.x;
    int row = blockIdx.y * gridDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
