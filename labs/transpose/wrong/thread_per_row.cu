// expect: budget global_sectors - right, but each thread walks along a row of in by itself
extern "C" __constant__ int transpose_block[3] = {1, 256, 1};
extern "C" __constant__ int transpose_items[2] = {32, 256};
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 256 + threadIdx.y;
    for (int column = blockIdx.x * 32; column < (blockIdx.x + 1) * 32; column++)
        if (row < rows && column < columns)
            out[column * rows + row] = in[row * columns + column];
}
