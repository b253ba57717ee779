// cause: The tile is of type int, so each float loses its fraction on the way, and infinities and NaN are lost
// first: wrong_value other
// says: Does a value pass through an int on its way
// asks: Or is something multiplied by 0?
#define TILE 16

template <int S>
__device__ void turn(const float *in, float *out, int rows, int columns)
{
    __shared__ int tile[S][S + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * S, left = blockIdx.x * S;

    if (top + ty < rows && left + tx < columns)
        tile[ty][tx] = in[(top + ty) * columns + (left + tx)];
    __syncthreads();
    if (left + ty < columns && top + tx < rows)
        out[(left + ty) * rows + (top + tx)] = tile[tx][ty];
}

extern "C" __global__ void __launch_bounds__(TILE * TILE) transpose(const float *in, float *out, int rows, int columns)
{
    turn<TILE>(in, out, rows, columns);
}
