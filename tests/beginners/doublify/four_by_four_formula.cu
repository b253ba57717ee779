// cause: Line 8 computes the index from threadIdx only (4 x 4 formula without blockIdx), so with more than one block (n >= 257) all blocks double the same first 256 elements (race in line 10) and the rest is never written.
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements
// asks: Which index do their first threads compute?
// taken from the PyCUDA tutorial
extern "C" __global__ void doublify(float *a, int n)
{
    int idx = threadIdx.x + threadIdx.y * 4;
    if (idx < n)
        a[idx] *= 2;
}
