// cause: Does not compile: blockDim has three parts and cannot be a factor, .x is missing
// first: compile component
// says: blockDim has three parts, .x, .y and .z. Which one is meant?
// asks: Which one is meant?
// the shade of one pixel, given its three bytes
__device__ int shade(const unsigned char *rgb)
{
    return (77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]) / 256;
}

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width,
                                   int pitch)
{
    // Each thread makes one pixel. In which row and column is it, and is it in the picture at all?
    int column = blockIdx.x * blockDim + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height || column >= width)
        return;
    const unsigned char *line = colour + row * pitch;
    grey[row * width + column] = (unsigned char)shade(line + 3 * column);
}
