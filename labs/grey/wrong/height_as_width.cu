// expect: race_global|race_warp|wrong_value|out_of_bounds|never_written - a row of grey has width pixels, not height
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * height + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
