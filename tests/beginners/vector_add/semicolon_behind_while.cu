// cause: the semicolon is the body of the loop
// first: fuel empty
// says: the `;` behind its condition is all that it repeats
// asks: Where does its body end?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n);
    {
        c[i] = a[i] + b[i];
        i += gridDim.x * blockDim.x;
    }
}
