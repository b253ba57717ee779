// expect: pass - cells beyond the edge get a 0 that is not used; the tile is one flat array with rows of 33 words
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32 * 33];
    unsigned row = blockIdx.y * 32u + threadIdx.y, column = blockIdx.x * 32u + threadIdx.x;
    tile[threadIdx.y * 33 + threadIdx.x] = row < rows && column < columns ? in[row * columns + column] : 0.0f;
    __syncthreads();
    row = blockIdx.x * 32u + threadIdx.y;
    column = blockIdx.y * 32u + threadIdx.x;
    if (row < columns && column < rows)
        out[row * rows + column] = tile[threadIdx.x * 33 + threadIdx.y];
}
