// cause: s[t + blockDim.x - 1] = ... begins the second half one cell too early: s[255] belongs to a of thread 255 and to b of thread 0, a race in shared memory
// first: race_shared two_stores
// says: shared array s[255] written by thread (0,0,0) (line 12) and written by thread (255,0,0) (line 11); no barrier between them
// asks: Should both threads use this element, or each one of its own?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[512];        // first a, then b
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;

    s[t] = i < n ? a[i] : 0.0f;
    s[t + blockDim.x - 1] = i < n ? b[i] : 0.0f;
    __syncthreads();

    if (i < n)
        c[i] = s[t] + s[t + blockDim.x - 1];
}
