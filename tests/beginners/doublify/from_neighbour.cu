// cause: takes the right neighbour's value
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: Which element does this line read, and which one does it change? Is it one and the same?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        a[i] = 2 * a[i + 1];
}
