// cause: Line 13: a and b are moved to the thread's element, but c is not, so all threads store into c[0] (race) and c[1..] is never written.
// first: race_warp everybody
// says: the number of the thread is not in the index, so every thread that comes here uses the same elements
// asks: Which elements of c does thread 0 use in line 13, and which ones does thread 1?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    a += i;
    b += i;
    *c = *a + *b;
}
