// cause: goes through shared memory and reads the neighbour's cell by mistake
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: Does the one thread need what the other one stores? Which index do both lines compute?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        s[threadIdx.x] = a[i] + b[i];
    if (i < n)
        c[i] = s[(threadIdx.x + 1) % 256];
}
