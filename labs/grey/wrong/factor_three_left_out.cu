// expect: wrong_value place - takes three neighbouring bytes, but moves on by one byte from pixel to pixel
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
