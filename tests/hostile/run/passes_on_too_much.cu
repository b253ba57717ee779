// expect: pass - a call with large parameters, of a function that only the run can know
extern "C" __device__ __noinline__ int helper(int x) { return x + 1; }
__device__ int (*keep)(int) = helper;
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .b64 f; mov.u64 f, helper; pr: .callprototype (.param .align 16 .b8 _[4096]) _ (.param .align 8 .b8 _[2048]); .param .align 16 .b8 r[4096]; .param .align 8 .b8 x[2048]; call (r), f, (x), pr; }" ::: "memory");
    if (i < n) a[i] *= 2;
}
