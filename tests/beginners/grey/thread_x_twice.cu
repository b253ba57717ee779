// cause: copied the line of the column and changed the block only: the row has threadIdx.x, too
// first: never_written same_element
// says: line 12 stores grey[row 0, column 0] in each of 16 threads
// asks: What in the index of line 12 differs from thread to thread?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.x;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
