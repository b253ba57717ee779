// cause: `float *tb = pool + TILE * TILE * sizeof(float);`: pointer arithmetic counts floats already, so tb points 1024 floats behind the start of a pool of 512 floats: out of bounds in shared memory.
// first: out_of_bounds shared
// says: write pool[1024], but pool has 512 elements (0..511)
// asks: Line 13 first: By how many elements does the pointer move here, and by how many should it?
#define TILE 16
#define CELL(t, r, c) (t)[(r) * TILE + (c)]

extern "C" __global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    // room for two tiles
    __shared__ float pool[2 * TILE * TILE];
    float *ta = pool;
    float *tb = pool + TILE * TILE * sizeof(float);

    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.y * TILE + ty;
    int j = blockIdx.x * TILE + tx;
    float s = 0;

    for (int first = 0; first < K; first += TILE) {
        CELL(ta, ty, tx) = i < M && first + tx < K ? A[i * K + first + tx] : 0;
        CELL(tb, ty, tx) = j < N && first + ty < K ? B[(first + ty) * N + j] : 0;
        __syncthreads();

        for (int k = 0; k < TILE; k++)
            s += CELL(ta, ty, k) * CELL(tb, k, tx);
        __syncthreads();
    }

    if (i < M && j < N) C[i * N + j] = s;
}
