/* matmul_tiled at the speed of the hardware: each thread computes 8 x 16 elements of C in registers.
 *
 * In the plain version a thread reads two floats of shared memory for each multiplication, and shared memory is what it
 * waits for. Here it reads 8 floats of A and 16 of B for 128 multiplications. Three levels:
 *
 *   block    128 x 256 elements of C. Turn by turn it loads 8 columns of A and 8 rows of B into shared memory.
 *   warp     32 x 128 of them: 4 warps one below the other, 2 side by side.
 *   thread   8 x 16: two groups of 4 rows, four groups of 4 columns. A group is one read of 16 bytes.
 *
 * There are two pairs of tiles. While a block multiplies with one pair, its loads for the next turn are in flight to
 * registers; they go to the other pair afterwards. So one barrier per turn is enough.
 */

#define ROWS 128            // of C, per block
#define COLUMNS 256
#define DEPTH 8             // columns of A and rows of B, per turn
#define BLOCK 256
#define ROW_GROUPS 2        // per thread
#define COLUMN_GROUPS 4
#define B_LOADS (DEPTH * COLUMNS / 4 / BLOCK)   // of 4 floats, per thread and turn; for A it is one

extern "C" __constant__ int matmul_tiled_block[3] = {BLOCK, 1, 1};
extern "C" __constant__ int matmul_tiled_items[2] = {COLUMNS, ROWS};

struct tiles {
    // A's tile is stored by columns, so that 4 rows of one column are neighbours. The 4 extra cells per column make the
    // lanes that store it use different banks.
    float a[2][DEPTH][ROWS + 4];
    float b[2][DEPTH][COLUMNS];
};

// Four neighbouring elements of a row; 0 beyond the edges of the matrix. INSIDE: they exist, aligned to 16 bytes.
template <bool INSIDE> __device__ float4 load4(const float *matrix, int row, int column, int rows, int columns)
{
    const float *first = &matrix[(size_t)row * columns + column];
    if (INSIDE) {
        return *(const float4 *)first;
    }
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows) {
        v.x = column < columns ? first[0] : 0.0f;
        v.y = column + 1 < columns ? first[1] : 0.0f;
        v.z = column + 2 < columns ? first[2] : 0.0f;
        v.w = column + 3 < columns ? first[3] : 0.0f;
    }
    return v;
}

template <bool INSIDE>
__device__ void store4(float *matrix, int row, int column, int rows, int columns, const float *v)
{
    float *first = &matrix[(size_t)row * columns + column];
    if (INSIDE) {
        *(float4 *)first = make_float4(v[0], v[1], v[2], v[3]);
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (row < rows && column + i < columns) {
                first[i] = v[i];
            }
        }
    }
}

__device__ void read4(float *to, const float *from)
{
    *(float4 *)to = *(const float4 *)from;
}

// What the thread loads for one turn: 4 elements of A, and of B in two rows.
struct loads {
    float4 a, b[B_LOADS];
};

template <bool INSIDE>
__device__ loads load(const float *A, const float *B, int first_row, int first_column, int k, int M, int N, int K)
{
    loads next;
    next.a = load4<INSIDE>(A, first_row + threadIdx.x / 2, k + threadIdx.x % 2 * 4, M, K);
#pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
        next.b[i] = load4<INSIDE>(B, k + threadIdx.x / 64 + i * (BLOCK / 64), first_column + threadIdx.x % 64 * 4, K, N);
    }
    return next;
}

__device__ void keep(tiles &tiles, int pair, const loads &next)
{
    int row = threadIdx.x / 2, column = threadIdx.x % 2 * 4;
    tiles.a[pair][column + 0][row] = next.a.x;
    tiles.a[pair][column + 1][row] = next.a.y;
    tiles.a[pair][column + 2][row] = next.a.z;
    tiles.a[pair][column + 3][row] = next.a.w;
#pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
        *(float4 *)&tiles.b[pair][threadIdx.x / 64 + i * (BLOCK / 64)][threadIdx.x % 64 * 4] = next.b[i];
    }
}

template <bool INSIDE>
__device__ void multiply(tiles &tiles, const float *A, const float *B, float *C, int M, int N, int K)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int first_row = blockIdx.y * ROWS, first_column = blockIdx.x * COLUMNS;
    int my_row = warp / 2 * 32 + lane / 8 * 4;          // of the block's; the other group is 16 below
    int my_column = warp % 2 * 128 + lane % 8 * 4;      // the other groups are 32, 64 and 96 to the right
    float sum[ROW_GROUPS * 4][COLUMN_GROUPS * 4] = {};

    keep(tiles, 0, load<INSIDE>(A, B, first_row, first_column, 0, M, N, K));
    __syncthreads();    // the first pair is complete
    for (int first = 0, pair = 0; first < K; first += DEPTH, pair = 1 - pair) {
        loads next;
        if (first + DEPTH < K) {
            next = load<INSIDE>(A, B, first_row, first_column, first + DEPTH, M, N, K);
        }
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float a[ROW_GROUPS * 4], b[COLUMN_GROUPS * 4];
#pragma unroll
            for (int i = 0; i < ROW_GROUPS; i++) {
                read4(&a[4 * i], &tiles.a[pair][k][my_row + 16 * i]);
            }
#pragma unroll
            for (int i = 0; i < COLUMN_GROUPS; i++) {
                read4(&b[4 * i], &tiles.b[pair][k][my_column + 32 * i]);
            }
#pragma unroll
            for (int row = 0; row < ROW_GROUPS * 4; row++) {
#pragma unroll
                for (int column = 0; column < COLUMN_GROUPS * 4; column++) {
                    sum[row][column] += a[row] * b[column];
                }
            }
        }
        if (first + DEPTH < K) {
            keep(tiles, 1 - pair, next);
        }
        __syncthreads();    // the next pair is complete, and no thread reads this one any more
    }

#pragma unroll
    for (int row = 0; row < ROW_GROUPS * 4; row++) {
#pragma unroll
        for (int group = 0; group < COLUMN_GROUPS; group++) {
            store4<INSIDE>(C, first_row + my_row + row / 4 * 16 + row % 4, first_column + my_column + 32 * group, M, N,
                           &sum[row][4 * group]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) tiles tiles;
    bool inside = (blockIdx.y + 1) * ROWS <= M && (blockIdx.x + 1) * COLUMNS <= N && N % 4 == 0 && K % DEPTH == 0;
    if (inside) {       // the same for all threads of the block
        multiply<true>(tiles, A, B, C, M, N, K);
    } else {
        multiply<false>(tiles, A, B, C, M, N, K);
    }
}
