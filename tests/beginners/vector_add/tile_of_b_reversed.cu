// cause: the tile of b is read backwards
// first: wrong_value unused
// says: b[0] is read once, at line 9 by thread (0,0,0) of block (0,0,0).
// asks: What becomes of it until c[0] is stored?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = i < n ? b[i] : 0;
    __syncthreads();
    if (i < n)
        c[i] = a[i] + t[255 - threadIdx.x];
}
