// cause: takes rows from x and columns from y, against the grid
// first: never_written left
// says: out[row 32, column 0] was never written. In block (0,0,0), line 10 stores elements from out[row 0, column 0] to out[row 31, column 0]. The last line that thread (31,1,0) ran, whose element would be out[row 32, column 0], is line 9.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < rows && y < columns)
        out[y * rows + x] = in[x * columns + y];
}
