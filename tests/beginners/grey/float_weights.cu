// cause: takes the weights 0.299, 0.587 and 0.114 of a textbook
// first: wrong_value weights
// says: Every element of grey is 0.299 red + 0.587 green + 0.114 blue, as a whole number.
// asks: Which weights does the contract give?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = 0.299f * red + 0.587f * green + 0.114f * blue;
    }
}
