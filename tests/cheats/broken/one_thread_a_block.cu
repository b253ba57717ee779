// expect: at most 70 - thread 0 of each block does everything, where no other thread can come into its way
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    int first = blockIdx.x * BLOCK;
    for (int t = 0; threadIdx.x == 0 && t < BLOCK && first + t < n; t++)
        out[first + t] = in[first + t] + (first + BLOCK - 1 - t < n ? in[first + BLOCK - 1 - t] : 0);
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    int first = blockIdx.x * BLOCK;
    for (int t = 0; threadIdx.x == 0 && t < BLOCK && first + t < n; t++)
        out[first + t] = in[first + t] - (t > 0 ? in[first + t - 1] : 0);
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    int first = blockIdx.x * BLOCK, count = 0;
    for (int t = 0; threadIdx.x == 0 && t < BLOCK && first + t < n; t++)
        count += in[first + t] > 0;
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}
