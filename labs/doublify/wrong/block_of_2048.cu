// expect: launch - asks for a block of 2048 threads; the limit is 1024
extern "C" __constant__ int doublify_block[3] = {2048, 1, 1};

extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
    }
}
