// cause: for (unsigned k = PER - 1; k >= 0; --k) never ends: an unsigned k is always >= 0, so the kernel goes on with wrapped indices
// first: fuel unsigned
// says: k is unsigned, so k >= 0 is always true
// asks: Can it ever be below 0?
#define PER 4u
extern "C" __constant__ int doublify_items = 1024;

extern "C" __global__ void doublify(float *a, int n)
{
    unsigned base = blockIdx.x * 1024u + threadIdx.x;
    // count down, comparing with zero is cheaper
    for (unsigned k = PER - 1; k >= 0; --k) {
        unsigned i = base + k * 256u;
        if (i < (unsigned)n)
            a[i] *= 2.0f;
    }
}
