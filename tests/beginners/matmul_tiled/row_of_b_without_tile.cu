// cause: The row of B is made of the thread row alone, without the start of the tile, so every turn loads the first rows of B (line 18).
// first: wrong_value exchanged
// says: The thread that stores it multiplies At[0][0] (it holds A[0][16]) by Bds[0][0] (it holds B[0][0]), both read at line 21.
// asks: Which row and column of B does line 18 compute there?
#define TILE 16
// the tile of A is stored transposed, with a column to spare
extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float At[TILE][TILE + 1];
    __shared__ float Bds[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * blockDim.y + y, spalte = blockIdx.x * blockDim.x + x;
    float Cvalue = 0;
    for (int first = 0; first < K; first += TILE) {
        At[x][y] = 0;
        Bds[y][x] = 0;
        if (row < M && first + x < K) At[x][y] = A[row * K + (first + x)];
        if (spalte < N && first + y < K) Bds[y][x] = B[y * N + spalte];
        __syncthreads();
        for (int k = TILE - 1; k >= 0; k--)
            Cvalue += At[k][y] * Bds[k][x];
        __syncthreads();
    }
    if (spalte < N)
        if (row < M)
            C[row * N + spalte] = Cvalue;
}
