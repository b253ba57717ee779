/* to_grey with eight pixels per thread: six words in, two words out.
 *
 * Four pixels are 12 bytes, three whole words. A pitch that is a multiple of 4 lets each row begin where a word may lie,
 * and a width that is one does the same for the rows of grey. A warp then reads 384 bytes with three requests and writes
 * 128 with one. A thread has such a group in each of two rows and loads both before it uses the first, so that twice as many
 * bytes are on their way. Whatever does not fit, it does byte by byte.
 */
extern "C" __constant__ int to_grey_block[3] = {32, 8, 1};
extern "C" __constant__ int to_grey_items[2] = {128, 16};

__device__ unsigned shade(unsigned red, unsigned green, unsigned blue)
{
    return (77 * red + 150 * green + 29 * blue) / 256;
}

struct group {
    unsigned a, b, c;       // four pixels; the lowest byte of a word comes first: RGBR GBRG BRGB
};

__device__ group load(const unsigned char *from)
{
    const unsigned *words = (const unsigned *)from;
    return {words[0], words[1], words[2]};
}

__device__ unsigned shades(group four)
{
    unsigned first = shade(four.a & 255, four.a >> 8 & 255, four.a >> 16 & 255);
    unsigned second = shade(four.a >> 24, four.b & 255, four.b >> 8 & 255);
    unsigned third = shade(four.b >> 16 & 255, four.b >> 24, four.c & 255);
    unsigned fourth = shade(four.c >> 8 & 255, four.c >> 16 & 255, four.c >> 24);
    return first | second << 8 | third << 16 | fourth << 24;
}

extern "C" __global__ void __launch_bounds__(256) to_grey(const unsigned char *__restrict__ colour,
                                                           unsigned char *__restrict__ grey, int height, int width,
                                                           int pitch)
{
    int column = blockIdx.x * 128 + 4 * threadIdx.x;
    int upper = blockIdx.y * 16 + threadIdx.y, lower = upper + 8;
    if ((pitch | width) % 4 == 0 && column < width && lower < height) {     // then column + 3 < width, too
        group above = load(&colour[upper * pitch + 3 * column]), below = load(&colour[lower * pitch + 3 * column]);
        *(unsigned *)&grey[upper * width + column] = shades(above);
        *(unsigned *)&grey[lower * width + column] = shades(below);
        return;
    }
    for (int row = upper; row < height && row <= lower; row += 8) {
        const unsigned char *from = &colour[row * pitch];
        for (int k = column; k < column + 4 && k < width; k++) {
            grey[row * width + k] = shade(from[3 * k], from[3 * k + 1], from[3 * k + 2]);
        }
    }
}
