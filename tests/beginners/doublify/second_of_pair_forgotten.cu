// cause: the second store should be of the neighbour, but has the same index
// first: wrong_value changed_again
// says: v[0] is stored 2 times by thread (0,0,0) of block (0,0,0), first at line 10, last at line 12. v[0] becomes 4 x what it was, and should become 2 x what it was.
// asks: Which of these stores should change v[0], and which one should not?
extern "C" __constant__ int doublify_items = 512;
extern "C" __global__ void doublify(float *v, int n)
{
    int first = blockIdx.x * 512 + 2 * threadIdx.x;
    if (first < n)
        v[first] *= 2;
    if (first < n - 1)
        v[first] *= 2;
}
