// cause: The guard of the load lets column == columns through, so one element behind each row is read, and behind the last row there is none
// first: out_of_bounds guarded
// says: left + tx <= columns before it
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

template <int S>
__device__ void turn(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[S][S + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * S, left = blockIdx.x * S;

    if (top + ty < rows && left + tx <= columns)
        tile[ty][tx] = in[(top + ty) * columns + (left + tx)];
    __syncthreads();
    if (left + ty < columns && top + tx < rows)
        out[(left + ty) * rows + (top + tx)] = tile[tx][ty];
}

extern "C" __global__ void __launch_bounds__(TILE * TILE) transpose(const float *in, float *out, int rows, int columns)
{
    turn<TILE>(in, out, rows, columns);
}
