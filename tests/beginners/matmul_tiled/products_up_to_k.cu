// cause: the inner loop runs to K, but a tile has only TILE columns, so it reads beyond the tile or, for small K, stays
// first: out_of_bounds loop
// says: read sB[16][0], but sB has 16 rows of 16 elements
// asks: In which turn of the loop does the index leave sB, and which condition lets the loop get there?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float sA[TILE][TILE];
	__shared__ float sB[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int y_global = blockIdx.y * TILE + ty;
	int x_global = blockIdx.x * TILE + tx;
	float sum = 0.0f;
	for (int first = 0; first < K; first += TILE) {
		sA[ty][tx] = y_global < M && first + tx < K ? A[y_global * K + first + tx] : 0.0f;
		sB[ty][tx] = first + ty < K && x_global < N ? B[(first + ty) * N + x_global] : 0.0f;
		__syncthreads();
		for (int k = 0; k < K; k++) {
			sum += sA[ty][k] * sB[k][tx];
		}
		__syncthreads();
	}
	if (y_global < M && x_global < N) {
		C[y_global * N + x_global] = sum;
	}
}
