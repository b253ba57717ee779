// cause: thread 0 of each block goes over the whole array
// first: race_global no_block
// says: blockIdx is not in the index, so every block uses the same elements
// asks: Which index do their first threads compute?
extern "C" __global__ void doublify(float *a, int n)
{
    // one worker per block is enough
    if (threadIdx.x == 0)
    {
        for (int j = 0; j < n; ++j)
        {
            a[j] = a[j] * 2;
        }
    }
}
