// expect: at most 80 - one thread does each whole step; the rest of its block burns instructions

// Dead work for threads that have none: nothing of it reaches memory.
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++) {
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; mov.b32 t, 5; mov.b32 t, 6; }");
    }
}

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    if (blockIdx.x > 0) {
        return;
    }
    if (threadIdx.x > 0) {
        burn(n / (2 * i));
        return;
    }
    for (long long id = 0; id + i < n; id += 2LL * i) {
        dest[id] += dest[id + i];
    }
}
