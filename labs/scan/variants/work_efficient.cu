// expect: pass - up-sweep and down-sweep over two elements per thread, indices padded against bank conflicts
#define BLOCK 256
#define PIECE (2 * BLOCK)
#define PADDED(i) ((i) + (i) / 32)

extern "C" __constant__ int scan_blocks_items = PIECE;
extern "C" __constant__ int add_block_sums_items = PIECE;

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[PADDED(PIECE)];
    int t = threadIdx.x;
    int i = blockIdx.x * PIECE + t;
    int first = i < n ? in[i] : 0;
    int second = i + BLOCK < n ? in[i + BLOCK] : 0;
    s[PADDED(t)] = first;
    s[PADDED(t + BLOCK)] = second;

    int offset = 1;
    for (int active = BLOCK; active > 0; active /= 2) {
        __syncthreads();
        if (t < active) {
            int left = offset * (2 * t + 1) - 1;
            int right = left + offset;
            s[PADDED(right)] += s[PADDED(left)];
        }
        offset *= 2;
    }
    if (t == 0) {
        block_sums[blockIdx.x] = s[PADDED(PIECE - 1)];
        s[PADDED(PIECE - 1)] = 0;
    }
    for (int active = 1; active <= BLOCK; active *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < active) {
            int left = offset * (2 * t + 1) - 1;
            int right = left + offset;
            int kept = s[PADDED(left)];
            s[PADDED(left)] = s[PADDED(right)];
            s[PADDED(right)] += kept;
        }
    }
    __syncthreads();
    // The sweep leaves the exclusive scan; adding its own element makes it inclusive.
    if (i < n) {
        out[i] = s[PADDED(t)] + first;
    }
    if (i + BLOCK < n) {
        out[i + BLOCK] = s[PADDED(t + BLOCK)] + second;
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x == 0) {
        return;
    }
    int before = block_sums[blockIdx.x - 1];
    for (int i = blockIdx.x * PIECE + threadIdx.x; i < min(n, ((int)blockIdx.x + 1) * PIECE); i += BLOCK) {
        out[i] += before;
    }
}
