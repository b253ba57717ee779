// cause: for (unsigned char k = 0; k < ROUNDS; k++) never ends, because an unsigned char goes from 255 back to 0 and is always less than 256
// first: fuel narrow
// says: the type of k is unsigned char, which holds no number above 255, so the condition k < ROUNDS is always true
// asks: What is the largest number that this variable can hold, and what is the one after it?
#define ROUNDS 256
extern "C" __constant__ int vector_add_items = 256 * ROUNDS;

typedef unsigned long long index_t;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    index_t base = (index_t)blockIdx.x * (256 * ROUNDS) + threadIdx.x;
    // small type, saves registers
    for (unsigned char k = 0; k < ROUNDS; k++) {
        index_t i = base + k * 256;
        if (i < n)
            c[i] = a[i] + b[i];
    }
}
