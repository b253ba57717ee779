// cause: neighbouring lanes exchange values through shared memory, with no barrier
// first: race_volatile
// says: both are volatile, which orders nothing, not even within a warp
// asks: What must every thread of the block have finished before any of them goes on to line 13?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ volatile float mail[256];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n) mail[t] = a[i];
    int other = i ^ 1;
    if (other < n) {
        c[other] = mail[t ^ 1] + b[other];
    }
}
