// expect: wrong_value|never_written - every result is the same number
extern "C" {
__global__ void doublify(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 7; }
__global__ void vector_add(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = 7; }
__global__ void mapper(float *dest, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dest[i] = 7; }
__global__ void reducer(float *dest, int i, int n) { }
__global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 7; if (threadIdx.x == 0) block_sums[blockIdx.x] = 7; }
__global__ void add_block_sums(int *out, const int *block_sums, int n) { }
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) { int i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x; if (i < M && k < N) C[i * N + k] = 7; }
__global__ void clear_bins(int *bins) { bins[threadIdx.x] = 7; }
__global__ void histogram(const int *data, int *bins, int n) { }
}
