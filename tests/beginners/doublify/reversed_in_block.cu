// cause: the tile is read backwards
// first: wrong_value carried
// says: a[0] is made of 2 x a[15], and should be made of 2 x a[0].
// asks: On the way to a[0], where does the one take the place of the other?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) t[threadIdx.x] = a[i];
    __syncthreads();
    int last = min(256, n - blockIdx.x * 256);
    if (i < n) a[i] = 2 * t[last - 1 - threadIdx.x];
}
