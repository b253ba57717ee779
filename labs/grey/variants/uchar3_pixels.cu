// expect: pass - a pixel as a uchar3, in blocks of 32 x 8 threads
extern "C" __constant__ int to_grey_block[3] = {32, 8, 1};

__device__ unsigned char shade(uchar3 c)
{
    return (77 * c.x + 150 * c.y + 29 * c.z) / 256;
}

extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) {
        const uchar3 *pixels = (const uchar3 *)(colour + y * pitch);
        grey[y * width + x] = shade(pixels[x]);
    }
}
