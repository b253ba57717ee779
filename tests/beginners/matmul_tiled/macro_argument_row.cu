// cause: `#define AT(p, r, c, w) p[r * w + c]`: the argument `first + ty` is not in parentheses, so AT(B, first + ty, col, N) is B[first + ty * N + col] and every tile after the first one has wrong elements of B.
// first: wrong_value exchanged
// says: b_tile[0][0] was filled at line 20, by thread (0,0,0).
// asks: What does this line say once the macro is replaced by its text, and the parameter in it by what you wrote?
#define TILE 16
#define AT(p, r, c, w) p[r * w + c]

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float a_tile[TILE][TILE];
	__shared__ float b_tile[TILE][TILE];
	int tx = threadIdx.x;
	int ty = threadIdx.y;
	int row = blockIdx.y * TILE + ty;
	int col = blockIdx.x * TILE + tx;
	float dot = 0.0f;

	for (int first = 0; first < K; first += TILE) {
		a_tile[ty][tx] = (row < M && first + tx < K) ? AT(A, row, first + tx, K) : 0.0f;
		b_tile[ty][tx] = (first + ty < K && col < N) ? AT(B, first + ty, col, N) : 0.0f;
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			dot += a_tile[ty][k] * b_tile[k][tx];
		__syncthreads();
	}

	if (row < M && col < N)
		AT(C, row, col, N) = dot;
}
