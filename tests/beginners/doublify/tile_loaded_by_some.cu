// cause: 64 threads fill the tile and all read it, without a barrier between
// first: race_shared
// says: shared array tile[64] written by thread (0,0,0)
// asks: What must every thread of the block have finished before any of them goes on
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float tile[256];
    const int t = threadIdx.x;
    const int base = blockIdx.x * 256;

    // the first two warps fetch everything, four elements per thread
    if (t < 64) {
        for (int k = 0; k < 4; k++) {
            int j = t + 64 * k;
            if (base + j < n)
                tile[j] = a[base + j];
        }
    }

    // now everybody has work
    if (base + t < n)
        a[base + t] = 2.0f * tile[t];
}
