// cause: the last lane of each warp is left out
// first: never_written left
// says: whose element would be c[31], is line 8.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && threadIdx.x % 32 != 31) {
        float s = a[i];
        s += b[i];
        *(c + i) = s;
    }
}
