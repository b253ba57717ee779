// cause: the inner loop uses the variable of the outer one
// first: fuel both_loops
// says: k is its variable, and the loop in line
// asks: What is k when the inner loop has ended?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  int lx = threadIdx.x, ly = threadIdx.y;
  int myRow = blockIdx.y * TILE + ly;
  int myCol = blockIdx.x * TILE + lx;
  float sum = 0.0f;
  int k = 0;

  for (k = 0; k < K; k += TILE) {
    if (myRow < M && k + lx < K) {
      a_tile[ly][lx] = A[myRow * K + k + lx];
    } else {
      a_tile[ly][lx] = 0.0f;
    }
    if (k + ly < K && myCol < N) {
      b_tile[ly][lx] = B[(k + ly) * N + myCol];
    } else {
      b_tile[ly][lx] = 0.0f;
    }
    __syncthreads();
    for (k = 0; k < TILE; k++) {
      sum += a_tile[ly][k] * b_tile[k][lx];
    }
    __syncthreads();
  }
  if (myRow < M && myCol < N) {
    C[myRow * N + myCol] = sum;
  }
}
