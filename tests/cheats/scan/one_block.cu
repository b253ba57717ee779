// expect: at most 90 - one block for arrays of any length, piece by piece
extern "C" __constant__ int scan_blocks_items = 1 << 30;
extern "C" __constant__ int add_block_sums_items = 1 << 30;

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[2][256];
    int t = threadIdx.x, before = 0;
    for (int start = 0; start < n; start += 256) {
        int turn = 0;
        s[0][t] = start + t < n ? in[start + t] : 0;
        __syncthreads();
        for (int distance = 1; distance < 256; distance *= 2) {
            s[1 - turn][t] = s[turn][t] + (t >= distance ? s[turn][t - distance] : 0);
            turn = 1 - turn;
            __syncthreads();
        }
        if (start + t < n) {
            out[start + t] = before + s[turn][t];
        }
        before += s[turn][255];
        __syncthreads();
    }
    if (t == 0) {
        block_sums[0] = before;
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
}
