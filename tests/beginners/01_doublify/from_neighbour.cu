// cause: takes the right neighbour's value
// first: race_warp chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: This line reads an element of a that another thread replaces. Which value do you want: the one from before, or
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        a[i] = 2 * a[i + 1];
}
