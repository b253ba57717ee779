// cause: the length is kept in an unsigned short, which ends at 65535
// first: never_written narrow
// says: a[1..65536] still hold what they held before the launch: no thread changed the last 65536 of the 65537 elements. In block (0,0,0), line 10 stores a[0], and nothing else. The last line that thread (1,0,0) ran, whose element would be a[1], is line 9.
// asks: Which type has the variable that cannot hold its number, and what is the largest number in that type?
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned short count = n;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        a[i] *= 2;
}
