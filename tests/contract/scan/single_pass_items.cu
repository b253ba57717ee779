// page: scan.md
// says: unless your file has a `scan_block` or `scan_items` line; `count` then follows the number of blocks
// expect: pass
#define ITEMS 512

extern "C" __constant__ int scan_block = 128;
extern "C" __constant__ int scan_items = ITEMS;
__device__ int words;

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        scratch[i] = 0;
    }
    if (i == 0) {
        words = count;
    }
}

// scratch: the ticket, three words without use, then the flag and the sum of each block, and two words without use
extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    if (blockDim.x != 128 || gridDim.x != (n + ITEMS - 1) / ITEMS || words != 4 + 4 * gridDim.x) {
        __trap();
    }
    __shared__ unsigned cells[128], tile, before;
    int t = threadIdx.x;
    if (t == 0) {
        tile = atomicAdd(&scratch[0], 1);
    }
    __syncthreads();
    int first = tile * ITEMS + 4 * t;
    unsigned sum = 0;
    for (int i = first; i < n && i < first + 4; i++) {
        sum += in[i];
    }
    cells[t] = sum;
    for (int d = 1; d < 128; d *= 2) {
        __syncthreads();
        unsigned left = t >= d ? cells[t - d] : 0;
        __syncthreads();
        cells[t] += left;
    }
    if (t == 127) {
        unsigned *mine = scratch + 4 + 4 * tile;
        before = 0;
        if (tile > 0) {
            while (atomicAdd(mine - 4, 0) == 0) {
            }
            __threadfence();
            before = atomicAdd(mine - 3, 0);
        }
        atomicExch(mine + 1, before + cells[t]);
        __threadfence();
        atomicExch(mine, 1);
    }
    __syncthreads();
    sum = before + cells[t] - sum;
    for (int i = first; i < n && i < first + 4; i++) {
        out[i] = sum += in[i];
    }
}
