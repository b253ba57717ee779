// cause: the loop counts its elements in a short
// first: out_of_bounds narrow_index
// says: read b[-30976], but b has 100003 elements (0..100002)
// asks: Of which type is the variable that the index is made of, and which numbers can it hold?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    for (short i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}
