// expect: at most 74 - one thread of each block loads the tile; the others burn instructions meanwhile
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++)
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; }");
}

__constant__ int weights[5][5];

extern "C" __global__ void blur(const unsigned char *in, unsigned char *out, int height, int width)
{
    __shared__ unsigned char tile[20][20];
    int top = blockIdx.y * 16, left = blockIdx.x * 16;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        for (int c = 0; c < 400; c++)
            tile[c / 20][c % 20] = in[min(max(top + c / 20 - 2, 0), height - 1) * width + min(max(left + c % 20 - 2, 0), width - 1)];
    else
        burn(400);
    __syncthreads();
    int x = left + threadIdx.x, y = top + threadIdx.y, sum = 0;
    for (int v = 0; v < 5; v++)
        for (int u = 0; u < 5; u++)
            sum += weights[v][u] * tile[threadIdx.y + v][threadIdx.x + u];
    if (x < width && y < height)
        out[y * width + x] = sum / 256;
}
