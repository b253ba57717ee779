// cause: Line 5: the __device__ counter keeps its value from launch to launch and is never set back to 0, so from the second launch on line 10 hands out numbers that are too large and elements at the beginning (or all) are never written.
// first: never_written kept
// says: The first run of this case was right. In the second one, with other inputs,
// asks: What differs between the two runs: the inputs, or what variables outside of the kernel still hold?
__device__ int nextElement = 0;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    // everybody draws a number, like at the post office
    int mine = atomicAdd(&nextElement, 1);
    if (mine < n)
        c[mine] = a[mine] + b[mine];
}
