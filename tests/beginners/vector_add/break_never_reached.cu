// cause: the break comes at i == n alone
// first: fuel break
// says: only a `break` or a `return` ends it, and no turn comes to one
// asks: Which condition leads to the break or return
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (true) {
        if (i < n)
            c[i] = a[i] + b[i];
        if (i == n)
            break;
    }
}
