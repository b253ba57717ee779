// expect: at most 80 - one thread adds everything with float4, the rest of its block burns instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            float4 u = *(const float4 *)&a[i], v = *(const float4 *)&b[i];
            *(float4 *)&c[i] = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
        }
        for (; i < n; i++) {
            c[i] = a[i] + b[i];
        }
    } else if (blockIdx.x == 0) {
        burn(n / 4);
    }
}
