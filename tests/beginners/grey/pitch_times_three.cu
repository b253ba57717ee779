// cause: The pitch is multiplied by 3 as well although it is in bytes already, so every row but row 0 is read too far behind
// first: out_of_bounds
// says: rgb is colour + 3 * (row * pitch + column) = colour + 3*(11*32 + 0).
// asks: Which row and which column did the thread in the message want? How many does the picture have?
// the shade of one pixel, given its three bytes
__device__ int shade(const unsigned char *rgb)
{
    return (77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]) / 256;
}

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width,
                                   int pitch)
{
    // Each thread makes one pixel. In which row and column is it, and is it in the picture at all?
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height || column >= width)
        return;
    grey[row * width + column] = (unsigned char)shade(colour + 3 * (row * pitch + column));
}
