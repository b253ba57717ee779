/* register_tiles at the speed of the hardware: 8 x 8 elements of C per thread, reads of 16 bytes, two pairs of tiles.
 *
 *   block    128 x 128 elements of C. Turn by turn it loads 8 columns of A and 8 rows of B: 4 neighbours of each per thread.
 *   warp     32 x 64 of them: 4 warps one below the other, 2 side by side.
 *   thread   8 x 8: two groups of 4 rows, two groups of 4 columns. A group is one read of 16 bytes, so a thread makes 4
 *            reads for 64 multiplications.
 *
 * While the threads multiply with one pair of tiles, their loads for the next turn are on the way to registers, from where
 * they go to the other pair. So one barrier per turn is enough.
 */

#define TILE  128       // rows and columns of C per block
#define DEPTH 8         // columns of A and rows of B per turn
#define BLOCK 256
#define LOADS (TILE * DEPTH / 4 / BLOCK)    // of 4 floats, per thread and turn, from each matrix
#define EACH  8         // rows and columns of C per thread

extern "C" __constant__ int register_tiles_block[3] = {BLOCK, 1, 1};
extern "C" __constant__ int register_tiles_items[2] = {TILE, TILE};

struct tiles {
    // A's tile is stored by columns, so that 4 rows of one column are neighbours. The 4 extra cells per column make the
    // lanes that store it use different banks.
    float a[DEPTH][TILE + 4];
    float b[DEPTH][TILE];
};

// Four neighbouring elements of a row; 0 beyond the edges of the matrix. ALIGNED: rows begin at multiples of 16 bytes, so
// that all four exist, or none.
template <bool ALIGNED> __device__ float4 load4(const float *matrix, int row, int column, int rows, int columns)
{
    const float *first = &matrix[(size_t)row * columns + column];
    int there = row < rows ? columns - column : 0;
    if (ALIGNED) {
        return there > 0 ? *(const float4 *)first : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    } else {
        return make_float4(there > 0 ? first[0] : 0.0f, there > 1 ? first[1] : 0.0f, there > 2 ? first[2] : 0.0f,
                           there > 3 ? first[3] : 0.0f);
    }
}

template <bool ALIGNED> __device__ void store4(float *matrix, int row, int column, int rows, int columns, const float *v)
{
    float *first = &matrix[(size_t)row * columns + column];
    int there = row < rows ? columns - column : 0;
    if (ALIGNED) {
        if (there > 0) {
            *(float4 *)first = make_float4(v[0], v[1], v[2], v[3]);
        }
    } else {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (i < there) {
                first[i] = v[i];
            }
        }
    }
}

// What a thread loads for one turn, on its way to shared memory.
struct loads {
    float4 a[LOADS], b[LOADS];
};

template <bool ALIGNED>
__device__ void load(loads &next, const float *A, const float *B, int first, int M, int N, int K)
{
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        int cell = (threadIdx.x + i * BLOCK) * 4;
        next.a[i] = load4<ALIGNED>(A, blockIdx.y * TILE + cell / DEPTH, first + cell % DEPTH, M, K);
        next.b[i] = load4<ALIGNED>(B, first + cell / TILE, blockIdx.x * TILE + cell % TILE, K, N);
    }
}

__device__ void keep(tiles &to, const loads &next)
{
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        int cell = (threadIdx.x + i * BLOCK) * 4;
        int row = cell / DEPTH, column = cell % DEPTH;
        to.a[column + 0][row] = next.a[i].x;
        to.a[column + 1][row] = next.a[i].y;
        to.a[column + 2][row] = next.a[i].z;
        to.a[column + 3][row] = next.a[i].w;
        *(float4 *)&to.b[cell / TILE][cell % TILE] = next.b[i];
    }
}

// Two groups of 4 neighbouring cells, `apart` from each other.
__device__ void read8(float *to, const float *from, int apart)
{
    *(float4 *)to = *(const float4 *)from;
    *(float4 *)(to + 4) = *(const float4 *)(from + apart);
}

template <bool ALIGNED>
__device__ void multiply(tiles *pairs, const float *A, const float *B, float *C, int M, int N, int K)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int my_row = warp / 2 * 32 + lane / 8 * 4;          // of the block's tile; the other group is 16 below
    int my_column = warp % 2 * 64 + lane % 8 * 4;       // the other group is 32 to the right
    float sum[EACH][EACH] = {};

    loads next;
    load<ALIGNED>(next, A, B, 0, M, N, K);
    keep(pairs[0], next);
    __syncthreads();    // the first pair is complete
    for (int first = 0, pair = 0; first < K; first += DEPTH, pair = 1 - pair) {
        bool goes_on = first + DEPTH < K;
        if (goes_on) {
            load<ALIGNED>(next, A, B, first + DEPTH, M, N, K);
        }
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            alignas(16) float a[EACH], b[EACH];
            read8(a, &pairs[pair].a[k][my_row], 16);
            read8(b, &pairs[pair].b[k][my_column], 32);
#pragma unroll
            for (int i = 0; i < EACH; i++) {
#pragma unroll
                for (int j = 0; j < EACH; j++) {
                    sum[i][j] += a[i] * b[j];
                }
            }
        }
        if (goes_on) {
            keep(pairs[1 - pair], next);
        }
        __syncthreads();    // the next pair is complete, and no thread reads this one any more
    }

#pragma unroll
    for (int i = 0; i < EACH; i++) {
        int row = blockIdx.y * TILE + my_row + i / 4 * 16 + i % 4, column = blockIdx.x * TILE + my_column;
        store4<ALIGNED>(C, row, column, M, N, &sum[i][0]);
        store4<ALIGNED>(C, row, column + 32, M, N, &sum[i][4]);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, 2)
register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) tiles pairs[2];
    if (N % 4 == 0 && K % 4 == 0) {     // the same for all threads
        multiply<true>(pairs, A, B, C, M, N, K);
    } else {
        multiply<false>(pairs, A, B, C, M, N, K);
    }
}
