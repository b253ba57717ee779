// cause: uses dynamic shared memory (line 7), which no launch of the lab has: the array has no elements, so every access is out of bounds
// first: out_of_bounds no_bytes
// says: Line 9 asks i < n: 0 < 1 is true
// asks: Who decides how many bytes tile has?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    extern __shared__ float tile[];        // one float per thread
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tile[threadIdx.x] = a[i];
        c[i] = tile[threadIdx.x] + b[i];
    }
}
