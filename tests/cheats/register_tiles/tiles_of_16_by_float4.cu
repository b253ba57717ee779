// expect: at most 72 - tiles of 16 x 16 and one element per thread again, with reads of four cells at once
#define TILE 16

extern "C" __global__ void register_tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float As[TILE][TILE + 4], Bs[TILE][TILE + 4];     // Bs by columns
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        As[y][x] = row < M && first + x < K ? A[(size_t)row * K + first + x] : 0.0f;
        Bs[x][y] = first + y < K && column < N ? B[(size_t)(first + y) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k += 4) {
            float4 a = *(float4 *)&As[y][k], b = *(float4 *)&Bs[x][k];
            sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
        __syncthreads();
    }
    if (row < M && column < N)
        C[(size_t)row * N + column] = sum;
}
