// cause: __syncwarp where the tile is shared by the whole block
// first: race_shared
// says: shared array tile[1][0] read by thread (1,0,0) (line 16) and written by thread (0,1,0) (line 11); line 12 has a `__syncwarp()`, which waits for one warp, and these two threads are in two
// asks: What must every thread of the block have finished before any of them goes on to line 16?
#define TILE 32
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < columns && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncwarp();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < columns)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
