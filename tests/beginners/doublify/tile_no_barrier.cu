// cause: threads read cells of shared memory that others fill, with no barrier in between
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: What must every thread of the block have finished before any of them goes on to line 17?
#define T 256

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float tile[T];
    int first = blockIdx.x * T;
    int left = n - first < T ? n - first : T;   // elements in this block
    int t = threadIdx.x;

    if (t < left)
        tile[t] = 2.0f * a[first + t];
    if (t < left)
        a[first + left - 1 - t] = tile[left - 1 - t];
}
