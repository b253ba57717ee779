// cause: the guard asks about the first element of a thread only; the second one, 256 further on, is used without asking (line 13): out of bounds
// first: out_of_bounds guarded
// says: i + BLOCK = 0 + 256 = 256
// asks: Does it ask about the very index that is used
#define BLOCK 256
extern "C" __constant__ int vector_add_items = 2 * BLOCK;

extern "C" __global__ void __launch_bounds__(BLOCK) vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
        c[i + BLOCK] = a[i + BLOCK] + b[i + BLOCK];
    }
}
