// expect: out_of_bounds line=5 - threads beyond the edges read too
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    out[column * rows + row] = in[row * columns + column];
}
