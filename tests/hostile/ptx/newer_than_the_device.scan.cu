// expect: compile line=3 - an instruction of compute capability 9.0, in a function that is inlined
static __device__ __forceinline__ void wait_for_all()
{   asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;");
}
extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    out[0] = in[0];
    wait_for_all();
}
extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
}
