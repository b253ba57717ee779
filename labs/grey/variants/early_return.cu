// expect: pass - leaves the kernel where there is no pixel; pointers to the rows
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= (unsigned)width || y >= (unsigned)height)
        return;
    const unsigned char *from = colour + (size_t)y * pitch;
    unsigned char *to = grey + (size_t)y * width;
    to[x] = (from[3 * x] * 77 + from[3 * x + 1] * 150 + from[3 * x + 2] * 29) >> 8;
}
