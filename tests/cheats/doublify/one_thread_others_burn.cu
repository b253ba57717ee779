// expect: at most 80 - one thread doubles everything with float4, the rest of its block burns instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            float4 v = *(float4 *)&a[i];
            *(float4 *)&a[i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
        }
        for (; i < n; i++) {
            a[i] *= 2;
        }
    } else if (blockIdx.x == 0) {
        burn(n / 4);
    }
}
