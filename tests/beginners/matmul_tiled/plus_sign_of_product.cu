// cause: Line 26: =+ assigns (plus sign of the product) instead of adding, so the sum keeps only the last product of the last tile.
// first: wrong_value missing
// says: A[0][0..14] are missing in C[0][0], which has only A[0][15].
// asks: Read the operator character by character: what does it store?
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // Declare two tiles, __shared__ float As[TILE][TILE] and Bs likewise, and find your row and column of C.
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float ergebnis = 0.0f;

    for (int first = 0; first < K; first += TILE) {
        // Load one element of A's tile and one of B's.
        int spalteA = first + threadIdx.x;
        int zeileB = first + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && spalteA < K) ? A[row * K + spalteA] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (zeileB < K && col < N) ? B[zeileB * N + col] : 0.0f;
        __syncthreads();

        // Multiply the two tiles.
        for (int k = 0; k < TILE; k++)
            ergebnis =+ As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }

    // Store the element, if C has it.
    if (row < M && col < N)
        C[row * N + col] = ergebnis;
}
