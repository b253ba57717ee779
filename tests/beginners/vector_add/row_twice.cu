// cause: Line 10 adds threadIdx.y instead of threadIdx.x, so only every 17th element of a block (0, 17, 34, ...) gets a thread and the others are never written.
// first: never_written overlap
// says: stores every 17th element from c[0] to c[17]
// asks: What is the index of line 13 made of
extern "C" __constant__ int vector_add_block[3] = {16, 16, 1};

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int threads = blockDim.x * blockDim.y;
    int t = threadIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.x * threads + t;
    if (i < n)
        c[i] = a[i] + b[i];
}
