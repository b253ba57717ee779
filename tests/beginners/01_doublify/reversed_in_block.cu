// cause: the tile is read backwards
// first: x
// says: x
// asks: x
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) t[threadIdx.x] = a[i];
    __syncthreads();
    int last = min(256, n - blockIdx.x * 256);
    if (i < n) a[i] = 2 * t[last - 1 - threadIdx.x];
}
