// cause: Line 14: stores into c[i + 2 * B] instead of c[i + 3 * B] (copy-paste), so the third quarter of each block's elements is overwritten with wrong sums and the fourth is never written (n > 768).
// first: never_written
// says: Elements 768..999 of c, the last ones, were never written. Which thread should have done them?
// asks:
#define B 256
extern "C" __constant__ int vector_add_items = 4 * B;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 4 * B + threadIdx.x;
    if (i < n)         c[i]         = a[i]         + b[i];
    if (i + B < n)     c[i + B]     = a[i + B]     + b[i + B];
    if (i + 2 * B < n) c[i + 2 * B] = a[i + 2 * B] + b[i + 2 * B];
    if (i + 3 * B < n) c[i + 2 * B] = a[i + 3 * B] + b[i + 3 * B];
}
