// cause: asks for a block of 32 x 64 = 2048 threads (line 6); a block has at most 1024 in all, so the launch is refused
// first: launch
// says: a block of 32 x 64 x 1 = 2048 threads
// asks: Which limit does the message name
// x and y may each be up to 1024
extern "C" __constant__ int doublify_block[3] = {32, 64, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int i = blockIdx.x * (blockDim.x * blockDim.y) + t;
    if (i < n)
        a[i] = 2.0f * a[i];
}
