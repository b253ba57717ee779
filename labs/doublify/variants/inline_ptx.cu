// expect: pass - index, load, addition and store in inline PTX
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned i;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(i) : "r"(blockIdx.x), "r"(blockDim.x), "r"(threadIdx.x));
    if (i >= n) return;
    float x;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(x) : "l"(a + i) : "memory");
    asm("add.rn.f32 %0, %0, %0;" : "+f"(x));
    asm volatile("st.global.f32 [%0], %1;" :: "l"(a + i), "f"(x) : "memory");
}
