// expect: wrong_value|never_written|uninitialized|out_of_bounds - the input is handed back
extern "C" {
__global__ void doublify(float *a, int n) {  }
__global__ void vector_add(const float *a, const float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) c[i] = a[i]; }
__global__ void mapper(float *dest, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dest[i] = (float)i; }
__global__ void reducer(float *dest, int i, int n) { }
__global__ void scan_blocks(const int *in, int *out, int *block_sums, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; if (threadIdx.x == 0) block_sums[blockIdx.x] = in[0]; }
__global__ void add_block_sums(int *out, const int *block_sums, int n) { }
__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) { int i = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x; if (i < M && k < N) C[i * N + k] = A[i * K]; }
__global__ void clear_bins(int *bins) { bins[threadIdx.x] = threadIdx.x; }
__global__ void histogram(const int *data, int *bins, int n) { }
}
