// expect: pass - 1024 keys for each block: longer runs, and fewer counts
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define DIGITS 16
#define ROWS 4
#define PIECE (BLOCK * ROWS)

extern "C" __constant__ int count_digits_items = PIECE;
extern "C" __constant__ int scatter_items = PIECE;

__device__ int digit_of(unsigned key, int shift)
{
    return (key >> shift) & (DIGITS - 1);
}

__device__ unsigned block_scan(unsigned value, unsigned *total)
{
    __shared__ unsigned sums[BLOCK];
    int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned left = t >= d ? sums[t - d] : 0;
        __syncthreads();
        sums[t] += left;
        __syncthreads();
    }
    unsigned sum = sums[t];
    *total = sums[BLOCK - 1];
    __syncthreads();
    return sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK) count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
    __shared__ unsigned of_digit[DIGITS];
    int t = threadIdx.x, begin = blockIdx.x * PIECE;
    if (t < DIGITS) {
        of_digit[t] = 0;
    }
    __syncthreads();
    for (int i = begin + t; i < n && i < begin + PIECE; i += BLOCK) {
        atomicAdd(&of_digit[digit_of(keys[i], shift)], 1);
    }
    __syncthreads();
    if (t < DIGITS) {
        counts[t * gridDim.x + blockIdx.x] = of_digit[t];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) scan_digits(const unsigned *counts, unsigned *starts, int count)
{
    unsigned before = 0;
    for (int first = 0; first < count; first += BLOCK) {
        int j = first + threadIdx.x;
        unsigned own = j < count ? counts[j] : 0;
        unsigned total;
        unsigned sum = block_scan(own, &total);
        if (j < count) {
            starts[j] = before + sum - own;
        }
        before += total;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) scatter(const unsigned *keys, const unsigned *starts, unsigned *out,
                                                            int n, int shift)
{
    __shared__ unsigned first[DIGITS * WARPS];
    __shared__ unsigned sorted[PIECE];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, begin = blockIdx.x * PIECE;
    unsigned key[ROWS], left[ROWS];
    if (t < DIGITS * WARPS) {
        first[t] = 0;
    }
    __syncthreads();
    for (int row = 0; row < ROWS; row++) {
        int i = begin + (warp * ROWS + row) * 32 + lane;
        key[row] = i < n ? keys[i] : 0xffffffff;
        unsigned *mine = &first[digit_of(key[row], shift) * WARPS + warp];
        unsigned same = __match_any_sync(0xffffffff, digit_of(key[row], shift));
        unsigned before = __popc(same & ((1u << lane) - 1)), rows_before = *mine;
        __syncwarp();
        if (before == 0) {
            *mine = rows_before + __popc(same);
        }
        __syncwarp();
        left[row] = rows_before + before;
    }
    __syncthreads();
    unsigned count = t < DIGITS * WARPS ? first[t] : 0, total;
    unsigned sum = block_scan(count, &total);
    if (t < DIGITS * WARPS) {
        first[t] = sum - count;
    }
    __syncthreads();
    for (int row = 0; row < ROWS; row++) {
        sorted[first[digit_of(key[row], shift) * WARPS + warp] + left[row]] = key[row];
    }
    __syncthreads();
    for (int p = t; p < PIECE && begin + p < n; p += BLOCK) {
        int digit = digit_of(sorted[p], shift);
        out[starts[digit * gridDim.x + blockIdx.x] + p - first[digit * WARPS]] = sorted[p];
    }
}
