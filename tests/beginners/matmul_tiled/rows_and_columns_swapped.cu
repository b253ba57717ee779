// cause: the guard of the store compares the row with N and the column with M, the wrong way round
// first: out_of_bounds guarded
// says: write C[15][0], but C has 15 rows of 31 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float As[TILE][TILE];
	__shared__ float Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int r = blockIdx.y * TILE + ty;
	int c = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	for (int base = 0; base < K; base += TILE) {
		As[ty][tx] = r < M && base + tx < K ? A[r * K + base + tx] : 0.0f;
		Bs[ty][tx] = base + ty < K && c < N ? B[(base + ty) * N + c] : 0.0f;
		__syncthreads();
		for (int k = 0; k < TILE; k++) {
			sum += As[ty][k] * Bs[k][tx];
		}
		__syncthreads();
	}
	if (r < N && c < M)
		C[r * N + c] = sum;
}
