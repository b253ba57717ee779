// cause: a function that returns nothing
// first: uninitialized function
// says: The function add ends here without a return: what it gives back has no value, nor has what is computed from it.
// asks: Does this function give a value back? Of which type?
__device__ float add(float x, float y)
{
    float result = x + y;
}

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = add(a[i], b[i]);
    }
}
