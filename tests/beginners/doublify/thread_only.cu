// cause: no block in the index
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements
// asks: Two blocks change the same element. Which index do their first threads compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
