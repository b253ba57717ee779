// cause: Does not compile: line 9 initialises a pointer (float *) with a float.
// first: compile pointer
// says: This variable is a pointer, and the right side is one value.
// asks:
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float *sum = a[i] + b[i];
        c[i] = *sum;
    }
}
