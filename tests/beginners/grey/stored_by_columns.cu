// cause: stores as if grey had its columns one after the other
// first: wrong_value transposed
// says: This is the transposed matrix: row and column are exchanged.
// asks: Which of x and y runs along a row?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[column * height + row] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
