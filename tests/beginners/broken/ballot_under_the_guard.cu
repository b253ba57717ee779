// cause: The ballot is inside of the if, but its mask names all 32 lanes, so in the last warp lanes beyond n never come to it
// first: sync_mask
// says: the mask 0xffffffff names lane 1
// asks: Which lanes reach this line together?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) tripled(const int *in, int *out, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
    out[i] = 3 * in[i];
}

extern "C" __global__ void __launch_bounds__(BLOCK) mirrored(const int *in, int *out, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    // each thread brings its element to the cell of its partner
    int mine = i < n ? in[i] : 0;
    cells[BLOCK - 1 - t] = mine;
    __syncthreads();
    if (i < n)
        out[i] = mine + cells[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    __shared__ int ends[BLOCK / 32];        // the last element of each warp
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int lane = t % 32, warp = t / 32;
    int mine = i < n ? in[i] : 0;
    if (lane == 31)
        ends[warp] = mine;
    int before = __shfl_up_sync(0xffffffffu, mine, 1);
    __syncthreads();
    if (lane == 0)
        before = warp > 0 ? ends[warp - 1] : 0;
    if (i < n)
        out[i] = mine - before;
}

extern "C" __global__ void __launch_bounds__(BLOCK) positives(const int *in, int *counts, int n)
{
    __shared__ int count;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (t == 0)
        count = 0;
    __syncthreads();
    unsigned votes = 0;
    if (i < n)
        votes = __ballot_sync(0xffffffffu, in[i] > 0);
    if (t % 32 == 0)
        atomicAdd(&count, __popc(votes));
    __syncthreads();
    if (t == 0)
        counts[blockIdx.x] = count;
}
