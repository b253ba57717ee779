// expect: budget global_sectors - right, and writes rows of out, but neighbouring threads read different rows of in
extern "C" __constant__ int transpose_block[3] = {32, 8, 1};
extern "C" __constant__ int transpose_items[2] = {32, 32};
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.x;
    for (int column = blockIdx.x * 32 + threadIdx.y; column < (blockIdx.x + 1) * 32 && column < columns; column += 8)
        if (row < rows)
            out[column * rows + row] = in[row * columns + column];
}
