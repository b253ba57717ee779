// cause: Line 13 waits only for the lanes of the own warp, but line 20 reads tile elements that threads of other warps store (and overwrites a elements that they still read): race for n >= 33.
// first: race_global
// says: written by thread (8,0,0) (line 20) and read by thread (32,0,0) (line 12); no barrier between them
// asks: What must every thread of the block have finished
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int base = blockIdx.x * 256;

    if (base + t < n)
        tile[t] = 2.0f * a[base + t];
    __syncwarp();

    // write back: 64 threads, 4 elements each
    if (t < 64) {
        for (int k = 0; k < 4; k++) {
            int j = t * 4 + k;
            if (base + j < n)
                a[base + j] = tile[j];
        }
    }
}
