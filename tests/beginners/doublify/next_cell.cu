// cause: takes the cell of the next thread
// first: race_warp
// says: they are in one warp, and still nothing makes one wait for the other
// asks: Does the one thread need what the other one stores? Which index do both lines compute?
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;
    if (i < n)
        s[t] = 2 * a[i];
    if (i < n)
        a[i] = s[(t + 1) % 256];
}
