// cause: The __device__ counter of line 6 keeps its value from launch to launch and is never set back, so only the first launch gets tickets from 0 in line 10; in later launches the first elements (or all) are never written.
// first: never_written kept
// says: adds to next_free, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What differs between the two runs
// take a number, like at the post office: no index arithmetic
__device__ int next_free = 0;

extern "C" __global__ void doublify(float *a, int n)
{
    int i = atomicAdd(&next_free, 1);
    if (i < n)
        a[i] = a[i] + a[i];
}
