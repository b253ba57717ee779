// expect: wrong_value division - divides each product, and drops a remainder three times
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = 77 * red / 256 + 150 * green / 256 + 29 * blue / 256;
    }
}
