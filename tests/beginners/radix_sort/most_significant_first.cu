// cause: the passes take the highest digit first, so the last pass orders by the lowest one
// first: wrong_value shift
// says: counted as one with the digit 0
// asks: Which bits are the digit, where shift is 0?
#define BLOCK 256
#define WARPS (BLOCK / 32)
#define DIGITS 16

__device__ int digit_of(unsigned key, int shift)
{
    return (key >> (28 - shift)) & (DIGITS - 1);
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
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    if (t < DIGITS) {
        of_digit[t] = 0;
    }
    __syncthreads();
    if (i < n) {
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
    int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * BLOCK + t;
    unsigned key = i < n ? keys[i] : 0xffffffff;
    int digit = digit_of(key, shift);
    unsigned same = __match_any_sync(0xffffffff, digit);
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
