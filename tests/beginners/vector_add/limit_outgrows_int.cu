// cause: the length times 1000 outgrows an int in the largest array
// first: never_written narrow
// says: 9797861 of 16777227 elements of r, the first of them r[0], were never written. Line 10 stores into r, but no thread of block (0,0,0) came to it. The last line that they ran is line 9.
// asks: Which type has the variable that cannot hold its number, and what is the largest number in that type?
extern "C" __global__ void vector_add(const float *p, const float *q, float *r, int size)
{
    int me = blockIdx.x * blockDim.x + threadIdx.x;
    int limit = size * 1000;
    if (me * 1000 < limit)
        r[me] = p[me] + q[me];
}
