// expect: race_global|race_warp - one guard for the index of the pixel: beyond the right edge, the next row begins
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int pixel = row * width + column;
    if (pixel < height * width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[pixel] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
