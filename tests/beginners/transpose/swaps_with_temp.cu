// cause: exchanges two elements across the diagonal, as if the matrix were square
// first: out_of_bounds guarded
// says: read in[3][0], but in has 3 rows of 5 elements
// asks: Which row and which column did the thread want, and which condition let it through?
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows && x > y) {
        float temp = in[y * columns + x];
        out[y * columns + x] = in[x * columns + y];
        out[x * columns + y] = temp;
    }
}
