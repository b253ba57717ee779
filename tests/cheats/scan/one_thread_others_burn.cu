// expect: at most 40 - one thread scans everything in scan_blocks, 255 burn instructions, add_block_sums is empty
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned s = 0;
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            int4 v = *(const int4 *)&in[i];
            v.x = s += v.x; v.y = s += v.y; v.z = s += v.z; v.w = s += v.w;
            *(int4 *)&out[i] = v;
        }
        for (; i < n; i++) out[i] = s += in[i];
        for (int b = 0; b < gridDim.x; b++) block_sums[b] = s;
    } else if (blockIdx.x == 0) {
        for (int k = 0; k < n / 4; k++) asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n) { }
