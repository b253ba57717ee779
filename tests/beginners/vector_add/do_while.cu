// cause: a do-while tests its condition only after the first round, so threads beyond n access elements that do not exist
// first: out_of_bounds after
// says: read b[1], but b has 1 element (0..0)
// asks: When does this loop ask its condition for the first time?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    do {
        c[i] = a[i] + b[i];
        i += gridDim.x * blockDim.x;
    } while (i < n);
}
