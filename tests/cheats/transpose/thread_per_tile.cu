// expect: at most 56 - one thread of each block moves the whole tile; the others burn instructions
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++)
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; }");
}

extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[32][33];
    if (threadIdx.x > 0 || threadIdx.y > 0) {
        burn(1000);
        return;
    }
    int top = blockIdx.y * 32, left = blockIdx.x * 32;
    for (int e = 0; e < 1024; e++)
        if (top + e / 32 < rows && left + e % 32 < columns)
            tile[e / 32][e % 32] = in[(top + e / 32) * columns + left + e % 32];
    for (int e = 0; e < 1024; e++)
        if (left + e / 32 < columns && top + e % 32 < rows)
            out[(left + e / 32) * rows + top + e % 32] = tile[e % 32][e / 32];
}
