// expect: pass - each thread makes four pixels below each other, 8 rows apart
extern "C" __constant__ int to_grey_block[3] = {32, 8, 1};
extern "C" __constant__ int to_grey_items[2] = {32, 32};

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    for (int row = blockIdx.y * 32 + threadIdx.y; row < min(height, (int)(blockIdx.y + 1) * 32); row += 8) {
        if (column < width) {
            const unsigned char *p = &colour[row * pitch + 3 * column];
            grey[row * width + column] = (77 * p[0] + 150 * p[1] + 29 * p[2]) / 256;
        }
    }
}
