// cause: the place in the block is kept in an int8_t, which ends at 127
// first: out_of_bounds narrow_index
// says: read a[-128], but a has 1 element (0..0)
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
#include <cstdint>
extern "C" __global__ void doublify(float *a, int n)
{
    int8_t lane = threadIdx.x;
    int start = blockIdx.x * blockDim.x;
    int at = start + lane;
    if (at < n)
        a[at] += a[at];
}
