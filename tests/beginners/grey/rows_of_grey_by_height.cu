// cause: The rows of grey are counted with the height instead of the width
// first: out_of_bounds row_length
// says: y is multiplied by height = 33, but a row of grey has 1 element.
// asks: How far apart are the beginnings of two rows of grey, in elements?
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
        grey[y * height + x] = sum >> 8;
    }
}
