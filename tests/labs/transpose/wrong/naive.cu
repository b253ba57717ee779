// expect: budget global_store_sectors - right, but each lane writes into a row of its own
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row < rows && column < columns)
        out[column * rows + row] = in[row * columns + column];
}
