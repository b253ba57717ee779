// cause: the second store should be of the neighbour, but has the same index
// first: wrong_value multiple
// says: v[0] is stored 2 times by thread (0,0,0) of block (0,0,0), the last time at line 12. v[0] is 4 x v[0], where it should be 2 x v[0].
// asks: Where is it counted again: in another line, in another turn of a loop, or in another thread?
extern "C" __constant__ int doublify_items = 512;
extern "C" __global__ void doublify(float *v, int n)
{
    int first = blockIdx.x * 512 + 2 * threadIdx.x;
    if (first < n)
        v[first] *= 2;
    if (first < n - 1)
        v[first] *= 2;
}
