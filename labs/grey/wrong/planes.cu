// expect: wrong_value place - thinks that a row has its red bytes first, then its green ones, then its blue ones
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + column;
        int red = colour[at], green = colour[at + width], blue = colour[at + 2 * width];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
