// cause: the index is a ticket from a __device__ counter that is never set back (line 10); it keeps its value from launch to launch, so from the second launch on elements are missing
// first: never_written kept
// says: Line 10 adds to next_element, a variable that keeps its value from one launch to the next, and no line sets it again
// asks: What differs between the two runs: the inputs, or what variables outside of the kernel still hold?
/* The first thread that comes takes element 0, the next one element 1, ... */
__device__ int next_element = 0;

extern "C" __global__ void doublify(float *a, int n)
{
    int i = atomicAdd(&next_element, 1);
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
