// expect: at most 90 - block 0 does everything, the others burn instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x > 0) {
        burn(64);
        return;
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        a[i] *= 2;
    }
}
