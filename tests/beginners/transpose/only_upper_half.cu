// cause: moves the elements on and above the diagonal only, as an exchange in place would
// first: never_written left
// says: 3 elements from out[row 0, column 1] to out[row 1, column 2] were never written. Line 10 stores elements from out[row 0, column 0] to out[row 4, column 2]. The last line that thread (0,1,0) ran, whose element would be out[row 0, column 1], is line 9.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows && x >= y)
        out[x * rows + y] = in[y * columns + x];
}
