// cause: 77 / 256 is a division of whole numbers, and 0
// first: wrong_value division
// says: Every element of grey is 0.
// asks: If something is divided by 256 on its way there, how large is it at that moment?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = 77 / 256 * red + 150 / 256 * green + 29 / 256 * blue;
    }
}
