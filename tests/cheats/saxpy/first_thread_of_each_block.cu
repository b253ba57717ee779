// expect: at most 79 - one thread a block computes, with wide accesses; the others burn instructions
__device__ void burn(int turns)
{
    for (int k = 0; k < turns; k++)
        asm volatile("{ .reg .b32 t; mov.b32 t, 1; mov.b32 t, 2; mov.b32 t, 3; mov.b32 t, 4; }");
}

extern "C" __global__ void __launch_bounds__(256) saxpy(int n, float a, const float *x, float *y)
{
    int each = (n / 8 + gridDim.x) / gridDim.x * 8, first = blockIdx.x * each, end = min(first + each, n);
    if (threadIdx.x > 0) {
        burn(each);
        return;
    }
    int i = first;
    for (; i + 3 < end; i += 4) {
        float4 p = *(const float4 *)&x[i], q = *(float4 *)&y[i];
        *(float4 *)&y[i] = make_float4(a * p.x + q.x, a * p.y + q.y, a * p.z + q.z, a * p.w + q.w);
    }
    for (; i < end; i++)
        y[i] = a * x[i] + y[i];
}
