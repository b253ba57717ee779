// cause: the last element is left out; the lock is asked for until it is free
// first: wrong_value not_counted
// says: The counts are exactly those of data[0..253]: the last element was not counted
// asks: Which thread counts data[254]?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
__device__ int taken;
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n - 1;
    while (!done) {
        if (atomicExch(&taken, 1) == 0) {
            atomicAdd(&bins[data[i]], 1);
            done = true;
            atomicExch(&taken, 0);
        }
    }
}
