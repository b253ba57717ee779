// expect: pass - the threads of the grid, numbered through, and from the number of a pixel its row and column
extern "C" __global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch)
{
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    int i = block * (blockDim.x * blockDim.y) + thread;
    if (i < height * width) {
        int row = i / width, column = i % width;
        const unsigned char *p = colour + row * pitch + column * 3;
        grey[i] = (77 * p[0] + 150 * p[1] + 29 * p[2]) / 256;
    }
}
