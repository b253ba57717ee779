// expect: pass - in float: products of small whole numbers and a division by 256 are exact
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= height || column >= width)
        return;
    size_t at = (size_t)row * pitch + 3 * column;
    float sum = 77.0f * colour[at] + 150.0f * colour[at + 1] + 29.0f * colour[at + 2];
    grey[(size_t)row * width + column] = (unsigned char)(sum / 256.0f);
}
