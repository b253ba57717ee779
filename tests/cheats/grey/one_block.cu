// expect: at most 92 - one block for pictures of any size
extern "C" __constant__ int to_grey_items[2] = {1 << 15, 1 << 15};

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    for (int row = threadIdx.y; row < height; row += blockDim.y) {
        for (int column = threadIdx.x; column < width; column += blockDim.x) {
            const unsigned char *p = &colour[row * pitch + 3 * column];
            grey[row * width + column] = (77 * p[0] + 150 * p[1] + 29 * p[2]) / 256;
        }
    }
}
