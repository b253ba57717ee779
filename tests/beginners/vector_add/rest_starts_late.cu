// cause: the rest beyond the last four starts one element too late (n - n % 4 + 1)
// first: never_written elsewhere
// says: k begins at n - n%4 + 1 = 31 - 31%4 + 1 = 29
// asks: Which elements should line 14 store, and which does it store?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int first = 4 * id;
    if (first + 3 < n)
        for (int k = 0; k < 4; k++)
            c[first + k] = a[first + k] + b[first + k];
    if (id == 0)
        for (int k = n - n % 4 + 1; k < n; k++)
            c[k] = a[k] + b[k];
}
