// cause: if (__any_sync(0xffffffff, i < n)) is true for all lanes of a warp as soon as one lane has an element, so the other lanes of the ragged warp are out of bounds
// first: out_of_bounds guarded
// says: read b[1], but b has 1 element (0..0)
// asks: Does it ask about the very index that is used
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // one decision for the whole warp, no divergence
    if (__any_sync(0xffffffff, i < n)) {
        c[i] = a[i] + b[i];
    }
}
