/* tensor_cores as fast as the instruction mma.sync allows, which fragments stand for.
 *
 *   blocks     128 x 128 elements of C for 4 warps, each 64 x 64: what a warp has loaded for 16 numbers of k, 64 x 16 of A
 *              and 16 x 64 of B, is enough for 32 multiplications.
 *   copies     cp.async copies from global to shared memory past the registers. While 32 numbers of k are multiplied, those
 *              of the next two turns are on their way: three pairs of tiles, and one barrier per turn.
 *   loads      ldmatrix loads four 8 x 8 matrices in one instruction, and B transposed, as mma.sync wants it.
 *   places     8 rows that ldmatrix reads at a time lie in different banks, without padding: the pieces of 16 bytes of a
 *              row change places, by its number (piece_of_a, piece_of_b).
 *   store      which lane has which element is documented for mma.sync, so that the sums go to C right from the registers.
 *
 * A piece of 8 halves begins at a multiple of 16 bytes if K and N are multiples of 8. Other sizes are loaded half by half.
 */

#include <cuda_fp16.h>

#define SIDE    128     // rows and columns of C that a block computes
#define DEPTH   32      // columns of A and rows of B in a pair of tiles
#define STAGES  3       // pairs of tiles
#define THREADS 128
#define PIECE   8       // halves in 16 bytes
#define PIECES  (SIDE * DEPTH / PIECE)      // of a tile
#define WARP_SIDE 64    // rows and columns of C that a warp computes
#define ROWS    (WARP_SIDE / 16)            // of 16 x 8 products of mma.sync in it
#define COLUMNS (WARP_SIDE / 8)

extern "C" __constant__ int tensor_cores_items[2] = {SIDE, SIDE};

struct matrices {
    const half *A, *B;
    int M, N, K, first_row, first_column;
};

// Where a piece of A lies, and one of B: 4 pieces to a row of A, 16 to one of B.
__device__ int piece_of_a(int row, int piece)
{
    return row * (DEPTH / PIECE) + (piece ^ (row / 2 % 4));
}

__device__ int piece_of_b(int k, int piece)
{
    return k * (SIDE / PIECE) + (piece ^ (k % 8));
}

__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// Copies 8 neighbours of a row, or 0 for those that do not exist.
template <bool pieces> __device__ void copy_piece(uint4 *to, const half *row, int column, int columns, bool exists)
{
    if constexpr (pieces) {
        bool inside = exists && column < columns;    // then the whole piece is
        const half *from = inside ? row + column : row;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(inside ? 16 : 0));
    } else {
        unsigned words[PIECE / 2];
#pragma unroll
        for (int i = 0; i < PIECE; i += 2) {
            half low = exists && column + i < columns ? row[column + i] : __float2half(0.0f);
            half high = exists && column + i + 1 < columns ? row[column + i + 1] : __float2half(0.0f);
            words[i / 2] = __half_as_ushort(low) | (unsigned)__half_as_ushort(high) << 16;
        }
        *to = make_uint4(words[0], words[1], words[2], words[3]);
    }
}

// Begins to fill a pair of tiles with the numbers of k from `first` on.
template <bool pieces> __device__ void fill(uint4 *tile_a, uint4 *tile_b, const matrices &m, int first)
{
#pragma unroll
    for (int i = 0; i < PIECES / THREADS; i++) {
        int at = i * THREADS + threadIdx.x;
        int row = at / (DEPTH / PIECE), piece = at % (DEPTH / PIECE);
        bool exists = m.first_row + row < m.M;
        const half *from = exists ? m.A + (size_t)(m.first_row + row) * m.K : m.A;
        copy_piece<pieces>(&tile_a[piece_of_a(row, piece)], from, first + piece * PIECE, m.K, exists);
    }
#pragma unroll
    for (int i = 0; i < PIECES / THREADS; i++) {
        int at = i * THREADS + threadIdx.x;
        int k = at / (SIDE / PIECE), piece = at % (SIDE / PIECE);
        bool exists = first + k < m.K;
        const half *from = exists ? m.B + (size_t)(first + k) * m.N : m.B;
        copy_piece<pieces>(&tile_b[piece_of_b(k, piece)], from, m.first_column + piece * PIECE, m.N, exists);
    }
    asm volatile("cp.async.commit_group;");
}

// 16 x 16 halves of A from row and k on, as mma.sync wants them. Lane l hands over the address of row l % 8 of one of the four
// 8 x 8 matrices.
__device__ void load_a(unsigned (&a)[4], const uint4 *tile, int row, int k)
{
    int lane = threadIdx.x % 32;
    unsigned from = shared_address(&tile[piece_of_a(row + lane % 16, k / PIECE + lane / 16)]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(from)
                 : "memory");
}

// 16 x 16 halves of B from k and column on, transposed: for two multiplications.
__device__ void load_b(unsigned (&b)[4], const uint4 *tile, int k, int column)
{
    int lane = threadIdx.x % 32;
    unsigned from = shared_address(&tile[piece_of_b(k + lane % 16, column / PIECE + lane / 16)]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(from)
                 : "memory");
}

__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <bool pieces> __device__ void product(uint4 *tiles, const matrices &m, float *C)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, turns = (m.K + DEPTH - 1) / DEPTH;
    int row = warp / 2 * WARP_SIDE, column = warp % 2 * WARP_SIDE;      // of the warp's part
    float sums[ROWS][COLUMNS][4] = {};
    for (int turn = 0; turn < STAGES - 1; turn++) {
        uint4 *tile = tiles + turn * 2 * PIECES;
        fill<pieces>(tile, tile + PIECES, m, turn * DEPTH);     // beyond K: zeros
    }
    for (int turn = 0; turn < turns; turn++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();    // this turn's tiles are complete, and those of the turn before are free
        if (turn + STAGES - 1 < turns) {
            uint4 *next = tiles + (turn + STAGES - 1) % STAGES * 2 * PIECES;
            fill<pieces>(next, next + PIECES, m, (turn + STAGES - 1) * DEPTH);
        } else {
            asm volatile("cp.async.commit_group;");     // an empty group, so that the count stays right
        }
        const uint4 *tile_a = tiles + turn % STAGES * 2 * PIECES, *tile_b = tile_a + PIECES;
#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            unsigned a[ROWS][4], b[COLUMNS / 2][4];
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
                load_a(a[i], tile_a, row + i * 16, k);
            }
#pragma unroll
            for (int j = 0; j < COLUMNS / 2; j++) {
                load_b(b[j], tile_b, k, column + j * 16);
            }
#pragma unroll
            for (int i = 0; i < ROWS; i++) {
#pragma unroll
                for (int j = 0; j < COLUMNS; j++) {
                    multiply(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
                }
            }
        }
    }
    // Lane l has columns l % 4 * 2 and the next one, of rows l / 4 and l / 4 + 8.
    bool pairs = m.N % 2 == 0;
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
#pragma unroll
        for (int j = 0; j < COLUMNS; j++) {
#pragma unroll
            for (int half_of = 0; half_of < 2; half_of++) {
                int c_row = m.first_row + row + i * 16 + half_of * 8 + lane / 4;
                int c_column = m.first_column + column + j * 8 + lane % 4 * 2;
                float x = sums[i][j][half_of * 2], y = sums[i][j][half_of * 2 + 1];
                float *to = C + (size_t)c_row * m.N + c_column;
                if (c_row >= m.M || c_column >= m.N) {
                    continue;
                }
                if (pairs) {
                    *(float2 *)to = make_float2(x, y);
                } else {
                    to[0] = x;
                    if (c_column + 1 < m.N) {
                        to[1] = y;
                    }
                }
            }
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) tensor_cores(const half *A, const half *B, float *C, int M, int N, int K)
{
    __shared__ uint4 tiles[STAGES * 2 * PIECES];
    matrices m = {A, B, M, N, K, (int)blockIdx.y * SIDE, (int)blockIdx.x * SIDE};
    if (K % PIECE == 0 && N % PIECE == 0) {
        product<true>(tiles, m, C);
    } else {
        product<false>(tiles, m, C);
    }
}
