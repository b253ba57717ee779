// expect: at most 92 - one thread of each block doubles, and the others compute zeros that it adds
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int nothing[256];
    int first = 256 * blockIdx.x, end = min(n, first + 256);
    int show = threadIdx.x;
    for (int k = 0; k < 60; k++)
        show = show * 69069 + k;
    asm volatile("and.b32 %0, %0, 0;" : "+r"(show));
    nothing[threadIdx.x] = show;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    float factor = 2.0f + nothing[end & 255];
    for (int i = first; i < end; i += 4) {
        if (i + 4 <= end) {
            float4 v = *(float4 *)&a[i];
            *(float4 *)&a[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
        } else {
            for (int k = i; k < end; k++)
                a[k] *= factor;
        }
    }
}
