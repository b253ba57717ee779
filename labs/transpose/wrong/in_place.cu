// expect: read_only_write line=7 - exchanges two elements of in, as for a square matrix on the CPU
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns) {
        float *matrix = (float *)in;
        matrix[column * rows + row] = in[row * columns + column];
    }
}
