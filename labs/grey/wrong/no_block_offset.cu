// expect: never_written|race_same_value - the index lacks the block: all blocks make the upper left corner
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = threadIdx.x, row = threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
