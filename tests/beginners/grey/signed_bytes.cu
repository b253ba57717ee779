// cause: reads the bytes through a pointer to char, which has a sign
// first: wrong_value sign
// says: what comes out if bytes from 128 on count as negative numbers
// asks: Of which type are the numbers that the kernel reads?
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        const char *pixel = (const char *)colour + row * pitch + 3 * column;
        grey[row * width + column] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;
    }
}
