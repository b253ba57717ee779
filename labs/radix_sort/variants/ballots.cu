// expect: pass - four ballots for a match, and counts without atomics
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define DIGITS 16

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
    __shared__ unsigned of_warp[WARPS][DIGITS];
    int t = threadIdx.x, lane = t % 32, i = blockIdx.x * BLOCK + t;
    int digit = i < n ? digit_of(keys[i], shift) : -1;
    for (int d = 0; d < DIGITS; d++) {
        unsigned votes = __ballot_sync(0xffffffff, digit == d);
        if (lane == d) {
            of_warp[t / 32][d] = __popc(votes);
        }
    }
    __syncthreads();
    if (t < DIGITS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++) {
            sum += of_warp[w][t];
        }
        counts[t * gridDim.x + blockIdx.x] = sum;
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
    int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * BLOCK + t;
    unsigned key = i < n ? keys[i] : 0xffffffff;
    int digit = digit_of(key, shift);
    unsigned same = 0xffffffff;
    for (int bit = 0; bit < 4; bit++) {
        unsigned ones = __ballot_sync(0xffffffff, digit >> bit & 1);
        same &= digit >> bit & 1 ? ones : ~ones;
    }
    int left = __popc(same & ((1u << lane) - 1));
    if (t < DIGITS * WARPS) {
        first[t] = 0;
    }
    __syncthreads();
    if (left == 0) {
        first[digit * WARPS + warp] = __popc(same);
    }
    __syncthreads();
    unsigned count = t < DIGITS * WARPS ? first[t] : 0, total;
    unsigned sum = block_scan(count, &total);
    if (t < DIGITS * WARPS) {
        first[t] = sum - count;
    }
    __syncthreads();
    int place = first[digit * WARPS + warp] + left;

    __shared__ unsigned sorted[BLOCK];
    sorted[place] = key;
    __syncthreads();
    if (i < n) {
        key = sorted[t];
        digit = digit_of(key, shift);
        out[starts[digit * gridDim.x + blockIdx.x] + t - first[digit * WARPS]] = key;
    }
}
