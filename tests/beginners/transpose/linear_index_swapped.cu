// cause: the linear index is taken apart with the number of rows, though a row has as many elements as there are columns
// first: wrong_value other
// says: out[row 0, column 1] should be 5 but is 3; 12 of 15 elements are wrong.
// asks: Which element of the input belongs there?
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * columns + x;
    if (x < columns && y < rows)
        out[i % rows * columns + i / rows] = in[i];
}
