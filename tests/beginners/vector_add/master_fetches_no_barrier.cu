// cause: There is no barrier before line 19: the other threads read the shared buffers in line 20 while thread 0 may not have filled them yet (race in shared memory).
// first: race_warp
// says: nothing makes one wait for the other
// asks: What must every thread of the block have finished
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float bufA[256];
    __shared__ float bufB[256];
    int start = blockIdx.x * 256;
    int t = threadIdx.x;

    // master thread fetches the data for its block
    if (t == 0) {
        for (int k = 0; k < 256 && start + k < n; k++) {
            bufA[k] = a[start + k];
            bufB[k] = b[start + k];
        }
    }
    if (start + t < n)
        c[start + t] = bufA[t] + bufB[t];
}
