// cause: the guard is that of out, with x below rows, but the element is that of in, with x along its columns
// first: out_of_bounds guarded
// says: read in[3][0], but in has 3 rows of 5 elements
// asks: Which row and which column did the thread want, and which condition let it through?
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < rows && y < columns)
        out[x * rows + y] = in[y * columns + x];
}
