// cause: asynchronous copies are committed and never waited for
// first: async_copy
// says: tileB[0][0] is read before the copy at line 10 has arrived: nothing has waited for it
// asks: When has the copy arrived, and which line says so?
#define TILE 16

__device__ __forceinline__ void copy_async(float *to, const float *from)
{
  unsigned address = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address), "l"(from) : "memory");
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int c = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int base = 0; base < K; base += TILE) {
    if (row < M && base + tx < K) {
      copy_async(&tileA[ty][tx], &A[row * K + base + tx]);
    } else {
      tileA[ty][tx] = 0.0f;
    }
    if (base + ty < K && c < N) {
      copy_async(&tileB[ty][tx], &B[(base + ty) * N + c]);
    } else {
      tileB[ty][tx] = 0.0f;
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      sum += tileA[ty][k] * tileB[k][tx];
    }
    __syncthreads();
  }
  if (row < M && c < N) {
    C[row * N + c] = sum;
  }
}
