// The kernels of `ninja bench`, each the textbook version of its algorithm. plain.c has the same algorithms for the CPU.
#include <cuda_fp16.h>
#include <mma.h>

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

// c = a · b, all n × n; blocks of 16 × 16.
extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

#define TILE 16

// The same with tiles in shared memory; n is a multiple of TILE.
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Each of four warps multiplies tiles of 16 x 16 halves on tensor cores; the block has 32 x 32 elements.
extern "C" __global__ void matmul_wmma(const float *a, const float *b, float *c, int n)
{
    using namespace nvcuda;
    __shared__ __align__(32) __half tile_a[32][16 + 8], tile_b[16][32 + 8];
    int thread = threadIdx.x, row = thread / 64 * 16, column = thread / 32 % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int t = 0; t < n; t += 16) {
        for (int i = thread; i < 32 * 16; i += 128) {
            tile_a[i / 16][i % 16] = __float2half(a[(blockIdx.y * 32 + i / 16) * n + t + i % 16]);
            tile_b[i / 32][i % 32] = __float2half(b[(t + i / 32) * n + blockIdx.x * 32 + i % 32]);
        }
        __syncthreads();
        wmma::load_matrix_sync(left, &tile_a[row][0], 16 + 8);
        wmma::load_matrix_sync(right, &tile_b[0][column], 32 + 8);
        wmma::mma_sync(sum, left, right, sum);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + (blockIdx.y * 32 + row) * n + blockIdx.x * 32 + column, sum, n, wmma::mem_row_major);
}

// One sum per block of 256.
extern "C" __global__ void block_reduce(const float *in, const float *, float *out, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

// Inclusive scan of each block of 256 (Hillis and Steele).
extern "C" __global__ void block_scan(const float *in, const float *, float *out, int n)
{
    __shared__ float part[2][256];
    int i = blockIdx.x * 256 + threadIdx.x, from = 0;
    part[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < 256; stride *= 2) {
        float value = part[from][threadIdx.x];
        if (threadIdx.x >= stride)
            value += part[from][threadIdx.x - stride];
        part[1 - from][threadIdx.x] = value;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n)
        out[i] = part[from][threadIdx.x];
}

// Steps of the Collatz sequence from i + 1: neighbouring threads take different branches and different numbers of turns.
extern "C" __global__ void divergent(const float *, const float *, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = i + 1, steps = 0;
    while (value != 1) {
        if (value % 2)
            value = 3 * value + 1;
        else
            value /= 2;
        steps++;
    }
    out[i] = steps;
}

// A 32-way strided read: each lane of a warp meets a sector of its own. n is a multiple of 1024.
extern "C" __global__ void strided(const float *in, const float *, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int from = i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32;
    if (i < n)
        out[i] = in[from] + 1;
}

// Counts of values in 256 bins, per block of 4096 values; out holds 256 counts a block. In the skewed one most values fall
// into few bins.
template <bool skewed>
__device__ void histogram(const float *in, float *out)
{
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < 4096; i += 256) {
        float value = in[blockIdx.x * 4096 + i];
        if (skewed)
            value = value * value * value * value;
        atomicAdd(&bins[(int)(value * 256)], 1u);
    }
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void histogram_uniform(const float *in, const float *, float *out, int)
{
    histogram<false>(in, out);
}

extern "C" __global__ void histogram_skewed(const float *in, const float *, float *out, int)
{
    histogram<true>(in, out);
}

// out = in transposed, n × n; blocks of 32 × 8. Columns of the tile lie in one bank.
extern "C" __global__ void transpose(const float *in, const float *, float *out, int n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int row = 0; row < 32; row += 8)
        out[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

// The force on each of n bodies in the plane, in double precision; a and b hold their places.
extern "C" __global__ void nbody(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double x = a[i], y = b[i], force = 0;
    for (int k = 0; k < n; k++) {
        double dx = a[k] - x, dy = b[k] - y, square = dx * dx + dy * dy + 0.01;
        force += dx / (square * sqrt(square));
    }
    out[i] = force;
}

// One sum per warp.
extern "C" __global__ void shuffle_reduce(const float *in, const float *, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
    if (i % 32 == 0)
        out[i / 32] = sum;
}
