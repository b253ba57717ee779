// cause: every block counts all elements
// first: wrong_value every_block
// says: data[0] is read 2 times: first by thread (0,0,0) of block (0,0,0), last by thread (0,0,0) of block (1,0,0), at line 12
// asks: Which of these blocks should count data[0], and which should not?
extern "C" __global__ void clear_bins(int *bins)
{
    bins[threadIdx.x] = 0;
}
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[data[i]], 1);
}
