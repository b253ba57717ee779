// expect: never_written|wrong_value - nothing is computed at all
extern "C" {
struct half { unsigned short bits; };
__global__ void doublify(float *a, int n) {  }
__global__ void vector_add(const float *a, const float *b, float *c, int n) {  }
__global__ void to_grey(const unsigned char *colour, unsigned char *grey, int height, int width, int pitch) {  }
__global__ void saxpy(int n, float a, const float *x, float *y) {  }
__global__ void mapper(float *dest, int n) {  }
__global__ void reducer(float *dest, int i, int n) { }
__global__ void stencil(const int *in, int *out, int n) {  }
__global__ void block_sum(const int *x, int *sums, int n) { }
__global__ void dot(const int *x, const int *y, int *products, int n) { }
__global__ void tripled(const int *in, int *out, int n) { }
__global__ void mirrored(const int *in, int *out, int n) { }
__global__ void differences(const int *in, int *out, int n) { }
__global__ void positives(const int *in, int *counts, int n) { }
__global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) {  }
__global__ void add_block_sums(int *out, const int *block_sums, int n) { }
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {  }
__global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K) { }
__global__ void tensor_cores(const half *A, const half *B, float *C, int M, int N, int K) { }
__global__ void clear_bins(int *bins) {  }
__global__ void histogram(const int *data, int *bins, int n) { }
__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift) {  }
__global__ void scan_digits(const unsigned *counts, unsigned *starts, int count) {  }
__global__ void scatter(const unsigned *keys, const unsigned *starts, unsigned *out, int n, int shift) {  }
__global__ void spmv(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows) { }
__global__ void multiply(const int *columns, const float *values, const float *p, float *q, float *pq, int k, int rows) { }
__global__ void step(float *x, float *r, const float *p, const float *q, float *rr, const float *pq, int k, int rows) { }
__global__ void direction(const float *r, float *p, const float *rr, int k, int rows) { }
__global__ void count_kept(const int *in, int *counts, int n) {  }
__global__ void scan_counts(const int *counts, int *starts, int blocks) {  }
__global__ void compact(const int *in, const int *starts, int *out, int n) {  }
__global__ void transpose(const float *in, float *out, int rows, int columns) {  }
__global__ void softmax(const float *in, float *out, int rows, int columns) { }
__global__ void filter(const float *in, const float *weights, float *out, int n) { }
__global__ void draw(unsigned *words, float *numbers, int n, unsigned long long seed, unsigned long long first) {  }
__global__ void estimate(unsigned *hits, int n, unsigned long long seed, unsigned long long first) {  }
__global__ void finish(const unsigned *hits, int blocks, int n, float *result) {  }
__global__ void attention(const float *q, const float *k, const float *v, float *out, int queries, int keys) {  }
__constant__ int weights[25];
__global__ void blur(const unsigned char *in, unsigned char *out, int height, int width) { if (weights[0] < 0) out[0] = 0; }
}
