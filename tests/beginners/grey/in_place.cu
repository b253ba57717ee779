// cause: stores the shade into the picture itself, into the first byte of the pixel
// first: read_only_write
// says: write colour[0][0], but colour is an input of this kernel
// asks: Which array does your kernel store to?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        unsigned char *pixel = (unsigned char *)&colour[row * pitch + 3 * column];
        pixel[0] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;
    }
}
