// expect: never_written|wrong_value - nothing is computed at all
extern "C" {
__global__ void doublify(float *a, int n) {  }
__global__ void vector_add(const float *a, const float *b, float *c, int n) {  }
__global__ void mapper(float *dest, int n) {  }
__global__ void reducer(float *dest, int i, int n) { }
__global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) {  }
__global__ void add_block_sums(int *out, const int *block_sums, int n) { }
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {  }
__global__ void clear_bins(int *bins) {  }
__global__ void histogram(const int *data, int *bins, int n) { }
}
