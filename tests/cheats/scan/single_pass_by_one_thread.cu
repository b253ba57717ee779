// expect: at most 80 - second plan: one thread scans everything, the others burn instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        scratch[i] = 0;
    }
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) {
        burn(blockIdx.x > 0 ? 10 : n / 4);
        return;
    }
    unsigned sum = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        int4 v = *(const int4 *)&in[i];
        v.x = sum += v.x;
        v.y = sum += v.y;
        v.z = sum += v.z;
        v.w = sum += v.w;
        *(int4 *)&out[i] = v;
    }
    for (; i < n; i++) {
        out[i] = sum += in[i];
    }
}
