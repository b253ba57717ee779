// expect: budget issued_lane_slots - right, but each thread looks at all keys of the block
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
    __shared__ unsigned char digits[BLOCK];
    __shared__ unsigned sorted[BLOCK];
    __shared__ int begin[DIGITS];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    unsigned key = i < n ? keys[i] : 0xffffffff;
    int digit = digit_of(key, shift), place = 0;
    digits[t] = digit;
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) {
        place += digits[k] < digit || (digits[k] == digit && k < t);
    }
    if (t < DIGITS) {
        int smaller = 0;
        for (int k = 0; k < BLOCK; k++) {
            smaller += digits[k] < t;
        }
        begin[t] = smaller;
    }
    sorted[place] = key;
    __syncthreads();
    if (i < n) {
        key = sorted[t];
        digit = digit_of(key, shift);
        out[starts[digit * gridDim.x + blockIdx.x] + t - begin[digit]] = key;
    }
}
