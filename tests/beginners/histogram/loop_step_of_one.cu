// cause: The step of the loop is 1, so elements are counted by several threads (line 27).
// first: wrong_value counted_in_block
// says: The counts add up to 496, but there are only 31 elements. data[1] is counted 2 times; 30 elements in all are not counted exactly once. data[1] is read 2 times: first by thread (1,0,0) of block (0,0,0), last by thread (0,0,0) of block (0,0,0), at line 28.
// asks: Which thread should count data[1], and which should not?
#define THREADS 128
#define PER_BLOCK (THREADS * 32)

extern "C" __constant__ int histogram_block[3] = {THREADS, 1, 1};
extern "C" __constant__ int histogram_items = PER_BLOCK;

extern "C" __global__ void clear_bins(int *result)
{
    for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
        result[bin] = 0;
}

extern "C" __global__ void histogram(const int *data, int *result, int N)
{
    __shared__ unsigned local[2 * THREADS];
    unsigned tid = threadIdx.x;
    local[tid] = 0;
    local[tid + THREADS] = 0;
    __syncthreads();
    const int *p = data + blockIdx.x * PER_BLOCK;
    int here = N - (int)blockIdx.x * PER_BLOCK;
    if (here > PER_BLOCK) here = PER_BLOCK;
    for (int k = tid; k < here; k++)
        atomicAdd(&local[p[k]], 1u);
    __syncthreads();
    atomicAdd(&result[tid], (int)local[tid]);
    atomicAdd(&result[tid + THREADS], (int)local[tid + THREADS]);
}
