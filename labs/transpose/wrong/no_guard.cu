// expect: out_of_bounds line=6 - threads beyond the edges read and write, too
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;

    out[column * rows + row] = in[row * columns + column];
}
