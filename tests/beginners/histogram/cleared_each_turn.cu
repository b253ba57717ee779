// cause: the counts are cleared in each turn and added behind the loop
// first: wrong_value reset
// says: Line 15 sets freq to 0 in each turn of the loop in line 14
// asks: Which counts does freq have when that loop has ended?
extern "C" __global__ void clear_bins(int *out)
{
    out[threadIdx.x] = 0;
}
#define CHUNK 2048
extern "C" __constant__ int histogram_items = CHUNK;
extern "C" __global__ void histogram(const int *in, int *out, int len)
{
    __shared__ int freq[256];
    for (int turn = 0; turn < CHUNK / 256; turn++) {
        freq[threadIdx.x] = 0;
        __syncthreads();
        int gid = blockIdx.x * CHUNK + turn * 256 + threadIdx.x;
        if (gid < len)
            atomicAdd(&freq[in[gid]], 1);
        __syncthreads();
    }
    atomicAdd(&out[threadIdx.x], freq[threadIdx.x]);
}
