// cause: stores the double of element i at the other end
// first: race_warp chain
// says: one thread needs what the other replaces
// asks: Which element does this line read, and which one does it change? Is it one and the same?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[n - 1 - i] = 2.0f * a[i];
}
