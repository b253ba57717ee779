// expect: at most 90 - the first thread of each block makes the block's pixels, in wide loads
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int first = 16 * blockIdx.x, end = min(width, first + 16);
    if (threadIdx.x > 0 || threadIdx.y > 0)
        return;
    for (int row = 16 * blockIdx.y; row < min(height, 16 * (int)blockIdx.y + 16); row++) {
        const uint4 *words = (const uint4 *)&colour[row * pitch + 3 * first];
        unsigned char bytes[48], shades[16];
        for (int k = 0; k < 3 && 16 * k < 3 * (end - first); k++)
            ((uint4 *)bytes)[k] = words[k];
        for (int k = 0; k < 16; k++)
            shades[k] = (77 * bytes[3 * k] + 150 * bytes[3 * k + 1] + 29 * bytes[3 * k + 2]) / 256;
        for (int k = first; k < end; k++)
            grey[row * width + k] = shades[k - first];
    }
}
