// expect: budget global_load_sectors - right, but each thread walks along a row of the block
extern "C" __constant__ int to_grey_items[2] = {64, 256};

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int row = blockIdx.y * 256 + threadIdx.y * 16 + threadIdx.x;
    int first = blockIdx.x * 64;
    for (int column = first; row < height && column < first + 64 && column < width; column++) {
        int at = row * pitch + 3 * column;
        int red = colour[at], green = colour[at + 1], blue = colour[at + 2];
        grey[row * width + column] = (77 * red + 150 * green + 29 * blue) / 256;
    }
}
