// cause: without the width of 16, the shuffle always reads from lanes 0 to 15, so the warp's second row multiplies with the first row's elements
// first: wrong_value shuffled
// says: C[1][0] is made of A[0][0..15], and should be made of A[1][0..15]. A[1][0] is read once, at line 16 by thread (0,1,0) of block (0,0,0). Line 20 has __shfl_sync, and thread (0,1,0) is lane 16 of its warp.
// asks: From which lane does it get its value there, and which lane has the one that belongs to it?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
  __shared__ float sB[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int y_global = blockIdx.y * TILE + ty;
  const int x_global = blockIdx.x * TILE + tx;
  float sum = 0.0f;

  for (int first = 0; first < K; first += TILE) {
    float a = y_global < M && first + tx < K ? A[y_global * K + first + tx] : 0.0f;
    sB[ty][tx] = first + ty < K && x_global < N ? B[(first + ty) * N + x_global] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      sum += __shfl_sync(0xffffffffu, a, k) * sB[k][tx];
    }
    __syncthreads();
  }
  if (y_global < M && x_global < N) {
    C[y_global * N + x_global] = sum;
  }
}
