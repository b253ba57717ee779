// expect: never_written|race_global|race_same_value - one index, as in a vector: all rows of blocks make the first row
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int pixel = blockIdx.x * blockDim.x + threadIdx.x;
    if (pixel < height * width) {
        int row = pixel / width, column = pixel % width;
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[pixel] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
