// cause: a comma between two indices: it is an operator
// first: compile comma_index
// says: The comma between these brackets is an operator: sA[ly, lx] means sA[lx]. Each dimension has brackets of its o
// asks:
/* Lab 05: matrix product with tiles in shared memory: C = A * B.
 *
 * Contract   A has M rows and K columns, B has K rows and N columns, C has M rows and N columns, all float, row by row.
 *            Afterwards C[row*N + column] is the sum of A[row*K + k] * B[k*N + column] over k from 0 to K-1.
 *            M, N and K are any numbers from 1 up, not just multiples of 16. A, B and C do not overlap; C starts as rubbish.
 * Launch     one launch, blocks of 16 x 16 threads, x along the N columns, y along the M rows, enough blocks to cover C.
 * Run        build/lockstep grade matmul_tiled
 * Read       handouts/matmul_tiled.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */

#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float sA[TILE][TILE];
	__shared__ float sB[TILE][TILE];
	int lx = threadIdx.x, ly = threadIdx.y;
	int r = blockIdx.y * TILE + ly;
	int c = blockIdx.x * TILE + lx;
	float total = 0.0f;
	for (int first = 0; first < K; first += TILE) {
		sA[ly, lx] = r < M && first + lx < K ? A[r * K + first + lx] : 0.0f;
		sB[ly][lx] = first + ly < K && c < N ? B[(first + ly) * N + c] : 0.0f;
		__syncthreads();
		for (int k = 0; k < TILE; k++) {
			total += sA[ly][k] * sB[k][lx];
		}
		__syncthreads();
	}
	if (r < M && c < N) {
		C[r * N + c] = total;
	}
}
