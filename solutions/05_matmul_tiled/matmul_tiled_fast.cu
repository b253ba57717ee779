/* Lab 05 at the speed of the hardware: each thread computes 8 x 16 elements of C in registers.
 *
 * In the plain version a thread reads two floats of shared memory for each multiplication, and the shared memory is what it
 * waits for. Here it reads 8 floats of A and 16 of B for 128 multiplications. Three levels:
 *
 *   block    128 x 256 elements of C. Turn by turn it loads 8 columns of A and 8 rows of B into shared memory.
 *   warp     32 x 128 of them: 4 warps one below the other, 2 side by side.
 *   thread   8 x 16: two groups of 4 rows, four groups of 4 columns. A group is one read of 16 bytes.
 *
 * There are two pairs of tiles. While a block multiplies with one pair, its loads for the next turn are on their way into
 * registers; they go to the other pair afterwards. So one barrier a turn is enough.
 */

#define ROWS 128            // of C, a block
#define COLUMNS 256
#define DEPTH 8             // columns of A and rows of B, a turn
#define BLOCK 256
#define ROW_GROUPS 2        // a thread
#define COLUMN_GROUPS 4
#define B_LOADS (DEPTH * COLUMNS / 4 / BLOCK)   // of 4 floats, a thread and turn; of A it is one

extern "C" __constant__ int matmul_tiled_block[3] = {BLOCK, 1, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {COLUMNS, ROWS};

// Four neighbouring elements of a row; 0 beyond the edges of the matrix.
__device__ float4 load4(const float *matrix, int row, int column, int rows, int columns)
{
    const float *first = &matrix[(size_t)row * columns + column];
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row >= rows) {
        return v;
    }
    if (columns % 4 == 0) {     // then every group of four is aligned, and inside or outside as a whole
        return column < columns ? *(const float4 *)first : v;
    }
    v.x = column < columns ? first[0] : 0.0f;
    v.y = column + 1 < columns ? first[1] : 0.0f;
    v.z = column + 2 < columns ? first[2] : 0.0f;
    v.w = column + 3 < columns ? first[3] : 0.0f;
    return v;
}

__device__ void store4(float *matrix, int row, int column, int rows, int columns, const float *v)
{
    if (row >= rows) {
        return;
    }
    if (columns % 4 == 0 && column < columns) {
        *(float4 *)&matrix[(size_t)row * columns + column] = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (column + i < columns) {
            matrix[(size_t)row * columns + column + i] = v[i];
        }
    }
}

__device__ void read4(float *to, const float *from)
{
    *(float4 *)to = *(const float4 *)from;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // A's tile is stored by columns, so that 4 rows of one column are neighbours. The 4 cells more a column keep the lanes
    // that store it in different banks.
    __shared__ alignas(16) float As[2][DEPTH][ROWS + 4];
    __shared__ alignas(16) float Bs[2][DEPTH][COLUMNS];
    int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    int first_row = blockIdx.y * ROWS, first_column = blockIdx.x * COLUMNS;
    int my_row = warp / 2 * 32 + lane / 8 * 4;              // of the block's; the other group is 16 below
    int my_column = warp % 2 * 128 + lane % 8 * 4;          // the other groups are 32, 64 and 96 to the right
    int a_row = thread / 2, a_column = thread % 2 * 4;      // what this thread loads of A's tile
    int b_row = thread / 64, b_column = thread % 64 * 4;    // and of B's, and every BLOCK / 64 rows below
    float sum[ROW_GROUPS * 4][COLUMN_GROUPS * 4] = {};
    float4 a_next, b_next[B_LOADS];

    // Turn -1 only loads.
    for (int first = -DEPTH, now = 1; first < K; first += DEPTH, now = 1 - now) {
        int next = first + DEPTH;
        if (next < K) {
            a_next = load4(A, first_row + a_row, next + a_column, M, K);
#pragma unroll
            for (int i = 0; i < B_LOADS; i++) {
                b_next[i] = load4(B, next + b_row + i * (BLOCK / 64), first_column + b_column, K, N);
            }
        }
        if (first >= 0) {
#pragma unroll
            for (int k = 0; k < DEPTH; k++) {
                float a[ROW_GROUPS * 4], b[COLUMN_GROUPS * 4];
#pragma unroll
                for (int i = 0; i < ROW_GROUPS; i++) {
                    read4(&a[4 * i], &As[now][k][my_row + 16 * i]);
                }
#pragma unroll
                for (int i = 0; i < COLUMN_GROUPS; i++) {
                    read4(&b[4 * i], &Bs[now][k][my_column + 32 * i]);
                }
#pragma unroll
                for (int row = 0; row < ROW_GROUPS * 4; row++) {
#pragma unroll
                    for (int column = 0; column < COLUMN_GROUPS * 4; column++) {
                        sum[row][column] += a[row] * b[column];
                    }
                }
            }
        }
        if (next < K) {
            As[1 - now][a_column + 0][a_row] = a_next.x;
            As[1 - now][a_column + 1][a_row] = a_next.y;
            As[1 - now][a_column + 2][a_row] = a_next.z;
            As[1 - now][a_column + 3][a_row] = a_next.w;
#pragma unroll
            for (int i = 0; i < B_LOADS; i++) {
                *(float4 *)&Bs[1 - now][b_row + i * (BLOCK / 64)][b_column] = b_next[i];
            }
        }
        __syncthreads();    // the next pair is complete, and nobody reads this one any more
    }

#pragma unroll
    for (int row = 0; row < ROW_GROUPS * 4; row++) {
#pragma unroll
        for (int group = 0; group < COLUMN_GROUPS; group++) {
            store4(C, first_row + my_row + row / 4 * 16 + row % 4, first_column + my_column + 32 * group, M, N,
                   &sum[row][4 * group]);
        }
    }
}
