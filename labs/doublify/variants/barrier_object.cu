// expect: pass - arrives at a barrier object while a register of the warp has no value yet
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ __align__(8) unsigned long long barrier;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned address = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(address), "r"(blockDim.x) : "memory");
    __syncthreads();
    asm volatile("{\n"
                 "  .reg .b32 unset;\n"
                 "  .reg .b64 state;\n"
                 "  .reg .pred done;\n"
                 "  add.u32 unset, unset, 1;\n"
                 "  mbarrier.arrive.shared.b64 state, [%0];\n"
                 "WAIT:\n"
                 "  mbarrier.test_wait.shared.b64 done, [%0], state;\n"
                 "  @!done bra WAIT;\n"
                 "}" :: "r"(address) : "memory");
    if (i < n)
        a[i] *= 2.0f;
}
