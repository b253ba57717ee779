// expect: at most 70 - only one lane of each warp loads, so that no request has more sectors than it needs; the rest is moved as in step 1
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    if (row >= rows || column >= columns)
        return;
    for (int lane = 0; lane < 32; lane++)
        if (lane == threadIdx.x)
            out[column * rows + row] = in[row * columns + column];
}
