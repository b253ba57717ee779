// cause: the last lane of each warp takes the neighbour's b
// first: wrong_value moved
// says: c[31] is made of b[30], and should be made of b[31].
// asks: Which line reads b for c[31], and which index does it compute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = a[i];
        if (threadIdx.x % 32 == 31)
            s += b[i - 1];
        else
            s += b[i];
        c[i] = s;
    }
}
