// expect: wrong_value|never_written|uninitialized|out_of_bounds - the input is handed back
extern "C" {
struct half { unsigned short bits; };
__global__ void doublify(float *a, int n) {  }
__global__ void vector_add(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i]; }
__global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch) { int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y; if (r < height && c < width) grey[r * width + c] = colour[r * pitch + c]; }
__global__ void saxpy(int n, float a, const float *x, float *y) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i]; }
__global__ void mapper(float *dest, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dest[i] = (float)i; }
__global__ void reducer(float *dest, int i, int n) { }
__global__ void stencil(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void block_sum(const int *x, int *sums, int n) { if (threadIdx.x == 0) sums[blockIdx.x] = x[blockIdx.x]; }
__global__ void dot(const int *x, const int *y, int *products, int n) { if (threadIdx.x == 0) products[blockIdx.x] = x[blockIdx.x]; }
__global__ void tripled(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void mirrored(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void differences(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void positives(const int *in, int *counts, int n) { if (threadIdx.x == 0) counts[blockIdx.x] = in[blockIdx.x]; }
__global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; if (threadIdx.x == 0) block_sums[blockIdx.x] = in[0]; }
__global__ void add_block_sums(int *out, const int *block_sums, int n) { }
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) { int i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x; if (i < M && k < N) C[i * N + k] = A[i * K]; }
__global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K) { int i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x; if (i < M && k < N) C[i * N + k] = A[i * K]; }
__global__ void tensor_cores(const half *A, const half *B, float *C, int M, int N, int K) { int i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x; if (i < M && k < N) C[i * N + k] = A[i * K].bits; }
__global__ void clear_bins(int *bins) { bins[threadIdx.x] = threadIdx.x; }
__global__ void histogram(const int *data, int *bins, int n) { }
__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift) { if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = keys[0]; }
__global__ void scan_digits(const unsigned *counts, unsigned *starts, int count) { for (int j = threadIdx.x; j < count; j += blockDim.x) starts[j] = counts[j]; }
__global__ void scatter(const unsigned *keys, const unsigned *starts, unsigned *out, int n, int shift) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = keys[i]; }
__global__ void spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows) { int row = blockIdx.x * blockDim.x + threadIdx.x; if (row < rows) y[row] = x[row]; }
__global__ void multiply(const int *columns, const float *values, const float *p, float *q, float *pq, int k, int rows) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < rows) q[i] = p[i]; }
__global__ void step(float *x, float *r, const float *p, const float *q, float *rr, const float *pq, int k, int rows) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < rows) x[i] = r[i]; }
__global__ void direction(const float *r, float *p, const float *rr, int k, int rows) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < rows) p[i] = r[i]; }
__global__ void count_kept(const int *in, int *counts, int n) { if (threadIdx.x == 0) counts[blockIdx.x] = in[blockIdx.x]; }
__global__ void scan_counts(const int *counts, int *starts, int blocks) { for (int b = threadIdx.x; b < blocks; b += blockDim.x) starts[b] = counts[b]; }
__global__ void compact(const int *in, const int *starts, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void transpose(const float *in, float *out, int rows, int columns) { int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x; if (row < rows && column < columns) out[row * columns + column] = in[row * columns + column]; }
__global__ void softmax(const float *in, float *out, int rows, int columns) { for (int c = threadIdx.x; c < columns; c += blockDim.x) out[(size_t)blockIdx.x * columns + c] = in[(size_t)blockIdx.x * columns + c]; }
__global__ void filter(const float *in, const float *weights, float *out, int n) { for (int i = blockIdx.x * 8192 + threadIdx.x; i < n && i < (blockIdx.x + 1) * 8192; i += blockDim.x) out[i] = in[i]; }
__global__ void draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; i < n && k < 4; k++) { words[4 * i + k] = (unsigned)(first + i); numbers[4 * i + k] = (float)(first + i); } }
__global__ void estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first) { if (threadIdx.x == 0) hits[blockIdx.x] = (unsigned)first; }
__global__ void finish(const unsigned *hits, int blocks, int n, float *result) { if (threadIdx.x < 2) result[threadIdx.x] = hits[0]; }
__global__ void attention(const float *q, const float *k, const float *v, float *out, int queries, int keys) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int d = 0; i < queries && d < 64; d++) out[i * 64 + d] = q[i * 64 + d]; }
__constant__ int weights[25];
__global__ void blur(const unsigned char *in, unsigned char *out, int height, int width) { int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x; if (y < height && x < width) out[y * width + x] = (weights[0] < 0 ? 1 : 0) + in[y * width + x]; }
}
