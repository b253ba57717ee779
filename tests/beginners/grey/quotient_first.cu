// cause: 1 / 256 is a quotient of whole numbers and is 0, so every pixel is black
// first: wrong_value division
// says: Every element of grey is 0.
// asks: If something is divided by 256 on its way there, how large is it at that moment?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width,
                                   int pitch)
{
    // Each thread makes one pixel. In which row and column is it, and is it in the picture at all?
    const int x = threadIdx.x + blockIdx.x * blockDim.x;
    const int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (y < height && x < width) {
        // a row is an array of pixels
        const uchar3 *pixels = reinterpret_cast<const uchar3 *>(colour + y * pitch);
        const uchar3 p = pixels[x];
        const int sum = 77 * p.x + 150 * p.y + 29 * p.z;
        grey[y * width + x] = sum * (1 / 256);
    }
}
