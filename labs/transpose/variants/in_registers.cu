// expect: pass - no shared memory; a thread turns 4 x 4 elements in registers, and neighbours complete each other's sectors
extern "C" __constant__ int transpose_block[3] = {8, 32, 1};
extern "C" __constant__ int transpose_items[2] = {32, 128};
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns)
{
    int column = (blockIdx.x * 8 + threadIdx.x) * 4, row = (blockIdx.y * 32 + threadIdx.y) * 4;
    if (columns % 4 == 0 && rows % 4 == 0) {
        if (row < rows && column < columns) {
            float4 v[4];
            for (int i = 0; i < 4; i++)
                v[i] = *(const float4 *)&in[(row + i) * columns + column];
            *(float4 *)&out[(column + 0) * rows + row] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
            *(float4 *)&out[(column + 1) * rows + row] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
            *(float4 *)&out[(column + 2) * rows + row] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
            *(float4 *)&out[(column + 3) * rows + row] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
        }
        return;
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (row + i < rows && column + j < columns)
                out[(column + j) * rows + row + i] = in[(row + i) * columns + column + j];
}
