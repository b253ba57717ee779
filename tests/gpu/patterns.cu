/* Patterns of memory access whose counters and times are compared with a GPU's (counters.py, estimate.py). Blocks of 256
 * threads unless the table there says otherwise. Results are stored so that nothing is optimised away.
 */
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

/* ---- global memory: how the lanes' addresses lie -------------------------------------------------------------------- */

extern "C" __global__ void every_second(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n / 2) {
        out[i] = in[2 * i];
    }
}

extern "C" __global__ void strided(const float *in, float *out, int n, int stride)
{
    int i = THREAD;
    if (i < n / stride) {
        out[i] = in[(size_t)i * stride];
    }
}

extern "C" __global__ void shifted(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n - 1) {
        out[i] = in[i + 1];
    }
}

extern "C" __global__ void shifted_store(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n - 1) {
        out[i + 1] = in[i];
    }
}

// A pair of floats at an address of 8 bytes that is none of 32: requests straddle sectors.
extern "C" __global__ void shifted_pairs(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n / 2 - 1) {
        float2 v = *(const float2 *)&in[2 * i + 2];
        out[i] = v.x + v.y;
    }
}

extern "C" __global__ void copy_by_2(const float2 *in, float2 *out, int n)
{
    int i = THREAD;
    if (i < n / 2) {
        out[i] = in[i];
    }
}

extern "C" __global__ void copy_by_4(const float4 *in, float4 *out, int n)
{
    int i = THREAD;
    if (i < n / 4) {
        out[i] = in[i];
    }
}

extern "C" __global__ void copy_bytes(const unsigned char *in, unsigned char *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = in[i];
    }
}

extern "C" __global__ void copy_doubles(const double *in, double *out, int n)
{
    int i = THREAD;
    if (i < n / 2) {
        out[i] = in[i];
    }
}

extern "C" __global__ void reversed(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = in[n - 1 - i];
    }
}

extern "C" __global__ void one_for_all(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = in[n / 2];
    }
}

extern "C" __global__ void one_a_warp(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = in[i / 32];
    }
}

extern "C" __global__ void gathered(const float *in, const int *index, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = in[index[i]];
    }
}

extern "C" __global__ void scattered(const float *in, const int *index, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[index[i]] = in[i];
    }
}

// A piece for each thread: neighbours in a warp are `piece` elements apart.
extern "C" __global__ void piece_a_thread(const float *in, float *out, int n, int piece)
{
    int first = THREAD * piece;
#pragma unroll 1
    for (int i = first; i < first + piece && i < n; i++) {
        out[i] = 2.0f * in[i];
    }
}

extern "C" __global__ void even_lanes(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n && i % 2 == 0) {
        out[i] = in[i];
    }
}

extern "C" __global__ void two_ways(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        float v = in[i];
        if (i % 2 == 0) {
#pragma unroll 1
            for (int k = 0; k < 16; k++) {
                v = v * v + 0.25f;
            }
        } else {
#pragma unroll 1
            for (int k = 0; k < 16; k++) {
                v = v * 0.5f - 0.125f;
            }
        }
        out[i] = v;
    }
}

// Many operations for each element: nothing waits for memory.
extern "C" __global__ void polynomial(const float *in, float *out, int n)
{
    int i = THREAD;
    if (i < n) {
        float x = in[i], v = 0.0f;
#pragma unroll 32
        for (int k = 0; k < 512; k++) {
            v = v * x + 0.5f;
        }
        out[i] = v;
    }
}

extern "C" __global__ void one_thread_a_block(const float *in, float *out, int n)
{
    if (threadIdx.x == 0) {
        int first = blockIdx.x * blockDim.x;
#pragma unroll 1
        for (int i = first; i < first + (int)blockDim.x && i < n; i++) {
            out[i] = 2.0f * in[i];
        }
    }
}

/* ---- matrices ------------------------------------------------------------------------------------------------------ */

extern "C" __global__ void transpose_naive(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) {
        out[(size_t)x * n + y] = in[(size_t)y * n + x];
    }
}

template <int COLUMNS> static __device__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[32][COLUMNS];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();
    out[(size_t)(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose_tile(const float *in, float *out, int n)
{
    transpose<32>(in, out, n);
}

extern "C" __global__ void transpose_padded(const float *in, float *out, int n)
{
    transpose<33>(in, out, n);
}

extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[(size_t)row * n + k] * b[(size_t)k * n + column];
    }
    c[(size_t)row * n + column] = sum;
}

// x and y exchanged: neighbouring lanes are rows apart.
extern "C" __global__ void matmul_by_columns(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[(size_t)row * n + k] * b[(size_t)k * n + column];
    }
    c[(size_t)row * n + column] = sum;
}

/* ---- shared memory ------------------------------------------------------------------------------------------------- */

// Lane l uses word l * stride: gcd(stride, 32) lanes meet in a bank.
extern "C" __global__ void banks(const float *in, float *out, int stride)
{
    __shared__ float s[32 * 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, i = THREAD;
    if (warp == 0) {
        s[lane * stride] = in[i];
        __syncwarp();
        out[i] = s[(31 - lane) * stride];
    }
}

extern "C" __global__ void banks_same_word(const float *in, float *out)
{
    __shared__ float s[256];
    int i = THREAD;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[threadIdx.x / 32 * 32 + 5] + s[threadIdx.x / 8];
}

extern "C" __global__ void banks_wide(const float4 *in, float4 *out)
{
    __shared__ float4 s[256];
    int i = THREAD;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[255 - threadIdx.x];
}

extern "C" __global__ void banks_doubles(const double *in, double *out)
{
    __shared__ double s[256];
    int i = THREAD;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[(threadIdx.x * 2) % 256];
}

extern "C" __global__ void tree(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

extern "C" __global__ void interleaved(const float *in, float *out)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 1; k < 256; k *= 2) {
        int j = 2 * k * t;
        if (j < 256) {
            s[j] += s[j + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s[0];
    }
}

extern "C" __global__ void shuffles(const float *in, float *out)
{
    float v = in[THREAD];
    for (int distance = 16; distance > 0; distance /= 2) {
        v += __shfl_down_sync(0xffffffffu, v, distance);
    }
    if (threadIdx.x % 32 == 0) {
        out[THREAD / 32] = v;
    }
}

/* ---- atomic operations --------------------------------------------------------------------------------------------- */

extern "C" __global__ void count_globally(const int *data, int *bins, int n)
{
    int i = THREAD;
    if (i < n) {
        atomicAdd(&bins[data[i]], 1);
    }
}

extern "C" __global__ void count_in_one_place(const int *data, int *bins, int n)
{
    int i = THREAD;
    if (i < n) {
        atomicAdd(&bins[data[i] & 0], 1 + data[i]);
    }
}

extern "C" __global__ void add_to_own_place(const int *data, int *out, int n)
{
    int i = THREAD;
    if (i < n) {
        atomicAdd(&out[i], data[i]);
    }
}

// The value before is used, so the operation has to bring it back.
extern "C" __global__ void tickets(const int *data, int *bins, int *out, int n)
{
    int i = THREAD;
    if (i < n) {
        out[i] = atomicAdd(&bins[data[i]], 1);
    }
}

extern "C" __global__ void count_in_shared(const int *data, int *bins, int n)
{
    __shared__ int counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    int i = THREAD;
    if (i < n) {
        atomicAdd(&counts[data[i]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
