// cause: with two sets of tiles, the next one is filled and used without a barrier in between
// first: race_shared above
// says: no barrier between them
// asks: What must every thread of the block have finished before any of them goes on to line 12?
#define TILE 16

__device__ void load(float (*sA)[TILE], float (*sB)[TILE], const float *A, const float *B, int base, int y_global, int x_global,
					 int M, int N, int K)
{
	int lx = threadIdx.x, ly = threadIdx.y;
	sA[ly][lx] = y_global < M && base + lx < K ? A[y_global * K + base + lx] : 0.0f;
	sB[ly][lx] = base + ly < K && x_global < N ? B[(base + ly) * N + x_global] : 0.0f;
}

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float sA[2][TILE][TILE];
	__shared__ float sB[2][TILE][TILE];
	const int y_global = blockIdx.y * TILE + threadIdx.y;
	const int x_global = blockIdx.x * TILE + threadIdx.x;
	float sum = 0.0f;
	int now = 0;

	load(sA[0], sB[0], A, B, 0, y_global, x_global, M, N, K);
	__syncthreads();
	for (int base = 0; base < K; base += TILE) {
		// the next tiles are on their way while we compute
		if (base + TILE < K) {
			load(sA[1 - now], sB[1 - now], A, B, base + TILE, y_global, x_global, M, N, K);
		}
		for (int k = 0; k < TILE; k++) {
			sum += sA[now][threadIdx.y][k] * sB[now][k][threadIdx.x];
		}
		now = 1 - now;
	}
	if (y_global < M && x_global < N) {
		C[y_global * N + x_global] = sum;
	}
}
