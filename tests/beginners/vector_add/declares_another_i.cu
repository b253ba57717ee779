// cause: int i inside the loop is another variable
// first: fuel another
// says: declares another i, and the one in its condition stays as it is
// asks: How many variables with the name i are there?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        c[i] = a[i] + b[i];
        int i = i + gridDim.x * blockDim.x;
    }
}
