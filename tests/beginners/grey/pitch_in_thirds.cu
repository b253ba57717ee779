// cause: counts the pitch in pixels: pitch / 3 drops the rest of the bytes of a row
// first: wrong_value place
// says: Every element of grey is made from bytes 3 * (row * (pitch / 3) + column) and the two behind it.
// asks: Is the pitch a multiple of 3
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        uchar3 pixel = ((const uchar3 *)colour)[row * (pitch / 3) + column];
        grey[row * width + column] = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) / 256;
    }
}
