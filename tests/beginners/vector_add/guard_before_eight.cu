// cause: if (i < n) is asked once before the loop, but c[i + k * 256] moves on by up to 1792 elements: out of bounds
// first: out_of_bounds guarded
// says: read b[256], but b has 1 element (0..0)
// asks: Does it ask about the very index that is used
extern "C" __constant__ int vector_add_items = 2048;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 2048 + threadIdx.x;
    if (i < n) {
        #pragma unroll
        for (int k = 0; k < 8; k++)
            c[i + k * 256] = a[i + k * 256] + b[i + k * 256];
    }
}
