// cause: the counter that hands out elements is never set back to 0, so the second launch gets none
// first: never_written kept
// says: Line 9 adds to next, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What differs between the two runs: the inputs, or what variables outside of the kernel still hold?
__device__ int next;

extern "C" __global__ void doublify(float *a, int n)
{
    int i = atomicAdd(&next, 1);
    if (i < n)
        a[i] *= 2.0f;
}
