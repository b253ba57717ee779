// cause: the tiles of the last turn lie beyond K, and the guard asks about rows and columns of C only
// first: out_of_bounds guarded
// says: read B[16][0], but B has 16 rows of 16 elements
// asks: Which row and which column did the thread want, and which condition let it through?
#define TILE 16
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int r = blockIdx.y * TILE + y, c = blockIdx.x * TILE + x;
    float s = 0;
    for (int t = 0; t <= K / TILE; t++) {
        if (r < M && c < N) {
            a[y][x] = A[r * K + t * TILE + x];
            b[y][x] = B[(t * TILE + y) * N + c];
        } else { a[y][x] = 0; b[y][x] = 0; }
        __syncthreads();
        for (int k = 0; k < TILE; k++) s += a[y][k] * b[k][x];
        __syncthreads();
    }
    if (r < M && c < N) C[r * N + c] = s;
}
