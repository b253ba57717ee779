// cause: a function that returns nothing
// first: never_written not_reached
// says: Line 14 stores into c, but no thread came to it. The compiler has left nothing of the lines up to it: a return
// asks: What sends the thread in the message past the store, and with which values?
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
