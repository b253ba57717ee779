// expect: out_of_bounds|race_global|race_warp - stores each pixel three times, as if grey had three channels, too
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        unsigned char value = (77 * red + 150 * green + 29 * blue) / 256;
        int to = 3 * (row * width + column);
        grey[to] = value;
        grey[to + 1] = value;
        grey[to + 2] = value;
    }
}
