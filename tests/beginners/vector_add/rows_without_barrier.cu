// cause: c[i] += b[i]; is done by the thread of row 1 and c[i] = a[i]; by that of row 0 with no barrier between: a race, and rubbish if row 1 is first
// first: race_global
// says: c[0] written by thread (0,0,0) (line 14) and read by thread (0,1,0) (line 16); no barrier between them.
// asks: Does the one need what the other one stores, or should each have an element of its own?
// two threads per element: one for a, one for b
extern "C" __constant__ int vector_add_block[3] = {256, 2, 1};
extern "C" __constant__ int vector_add_items = 256;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        if (threadIdx.y == 0)
            c[i] = a[i];
        else
            c[i] += b[i];
    }
}
