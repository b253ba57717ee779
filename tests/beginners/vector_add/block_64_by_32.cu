// cause: Line 6 asks for blocks of 64 * 32 = 2048 threads; a block has at most 1024, so the launch is refused and nothing is computed.
// first: launch
// says: a block of 64 x 32 x 1 = 2048 threads; the device allows at most 1024
// asks: Which limit does the message name
// bigger blocks, fewer of them
extern "C" __constant__ int vector_add_block[3] = {64, 32, 1};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int t = threadIdx.y * 64 + threadIdx.x;
    int i = blockIdx.x * 2048 + t;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
