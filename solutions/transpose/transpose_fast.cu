/* transpose at the speed of the memory: 16 bytes in each access, on all four ways.
 *
 * In the plain version a thread moves one float in each access, so a warp has 128 bytes in flight. Here it has 512, in four
 * loads that do not wait for each other, and it needs a quarter of the instructions:
 *
 *   block    a tile of 64 x 64 elements, 256 threads.
 *   thread   loads 4 x 4 of them, a float4 from each of four rows, and turns them in registers: four float4, each of which
 *            belongs into a row of out.
 *
 * Through shared memory go only whole float4, to bring together the rows of out: 64 elements, 256 bytes, for 16 neighbouring
 * lanes. No padding: it would spoil the alignment of a float4 or cost three more words. Instead the place of a float4 in its
 * row is exchanged, by an exclusive or with the row, so that any 8 neighbouring lanes use all of the 32 banks.
 */

#define TILE 64             // elements each way, per block
#define QUADS (TILE / 4)    // float4 in a row of the tile
#define BLOCK 256           // one thread for each 4 x 4 elements

extern "C" __constant__ int transpose_block[3] = {BLOCK, 1, 1};
extern "C" __constant__ int transpose_items[2] = {TILE, TILE};

// Where the float4 number `quad` of a row of the turned tile lies.
__device__ int place(int row, int quad)
{
    return row * QUADS + (quad ^ (row / 4 % QUADS));
}

extern "C" __global__ void __launch_bounds__(BLOCK) transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float4 tile[TILE * QUADS];
    int x = threadIdx.x % QUADS, y = threadIdx.x / QUADS;
    int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
    bool aligned = rows % 4 == 0 && columns % 4 == 0;

    if (aligned && first_row + TILE <= rows && first_column + TILE <= columns) {    // the same for all threads of the block
        const float *from = &in[(size_t)(first_row + 4 * y) * columns + first_column + 4 * x];
        float4 a = *(const float4 *)&from[0];
        float4 b = *(const float4 *)&from[(size_t)columns];
        float4 c = *(const float4 *)&from[(size_t)columns * 2];
        float4 d = *(const float4 *)&from[(size_t)columns * 3];
        tile[place(4 * x + 0, y)] = make_float4(a.x, b.x, c.x, d.x);
        tile[place(4 * x + 1, y)] = make_float4(a.y, b.y, c.y, d.y);
        tile[place(4 * x + 2, y)] = make_float4(a.z, b.z, c.z, d.z);
        tile[place(4 * x + 3, y)] = make_float4(a.w, b.w, c.w, d.w);
        __syncthreads();    // the tile is complete
#pragma unroll
        for (int row = y; row < TILE; row += BLOCK / QUADS) {
            *(float4 *)&out[(size_t)(first_column + row) * rows + first_row + 4 * x] = tile[place(row, x)];
        }
    } else {                // at the edges, or where rows do not begin at multiples of 16 bytes: one float at a time
        float *cells = (float *)tile;
        for (int i = threadIdx.x; i < TILE * TILE; i += BLOCK) {
            int row = i / TILE, column = i % TILE;
            if (first_row + row < rows && first_column + column < columns) {
                cells[place(column, row / 4) * 4 + row % 4] =
                    in[(size_t)(first_row + row) * columns + first_column + column];
            }
        }
        __syncthreads();
        for (int i = threadIdx.x; i < TILE * TILE; i += BLOCK) {
            int row = i / TILE, column = i % TILE;      // of out
            if (first_column + row < columns && first_row + column < rows) {
                out[(size_t)(first_column + row) * rows + first_row + column] =
                    cells[place(row, column / 4) * 4 + column % 4];
            }
        }
    }
}
