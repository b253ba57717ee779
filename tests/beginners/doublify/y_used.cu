// cause: takes threadIdx.y for the block
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements
// asks: Two blocks change the same element. Which index do their first threads compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
}
