// expect: at most 88 - thread 0 scans its block's piece alone, the others burn instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    if (threadIdx.x > 0) {
        burn(100);
        return;
    }
    int end = min(n, (blockIdx.x + 1) * 256), sum = 0;
    int i = blockIdx.x * 256;
    for (; i + 4 <= end; i += 4) {
        int4 v = *(const int4 *)&in[i];
        v.x = sum += v.x;
        v.y = sum += v.y;
        v.z = sum += v.z;
        v.w = sum += v.w;
        *(int4 *)&out[i] = v;
    }
    for (; i < end; i++) {
        out[i] = sum += in[i];
    }
    block_sums[blockIdx.x] = sum;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
