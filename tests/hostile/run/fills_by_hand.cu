// expect: compile line=9 - the device fills the array, and no thread of the kernel stores anything
struct extent { size_t width, height, depth; };
extern "C" __device__ int __cudaCDP2Memset2DAsync(void *, size_t, int, size_t, size_t, void *);
extern "C" __global__ void doublify(float *a, int n)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (int turn = 0; turn < 1000; turn++)
        __cudaCDP2Memset2DAsync(a, 4, turn, 4, n, nullptr);
}
