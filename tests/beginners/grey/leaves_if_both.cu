// cause: leaves only where both the row and the column are beyond the picture
// first: out_of_bounds guarded
// says: but colour has 1 row of 32 elements
// asks: how did it get past the condition?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height && column >= width)
        return;
    int at = row * pitch + 3 * column;
    int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
    grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
}
