// expect: pass - each thread scans 16 elements of its own in shared memory, and the threads' sums are scanned with shuffles
#define ITEMS 4096

extern "C" __constant__ int scan_blocks_items = ITEMS;
extern "C" __constant__ int add_block_sums_items = ITEMS;

extern "C" __global__ void __launch_bounds__(256) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[ITEMS + ITEMS / 16]; // a word more for every 16: neighbouring threads use neighbouring banks
    __shared__ int warps[8];
    int t = threadIdx.x, lane = t % 32, start = blockIdx.x * ITEMS;
    for (int k = t; k < ITEMS; k += 256) {
        s[k + k / 16] = start + k < n ? in[start + k] : 0;
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 16; k++) {
        s[17 * t + k] = sum += s[17 * t + k];
    }
    int upto = sum;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, upto, d);
        upto += lane >= d ? other : 0;
    }
    if (lane == 31) {
        warps[t / 32] = upto;
    }
    __syncthreads();
    int before = upto - sum;
    for (int w = 0; w < t / 32; w++) {
        before += warps[w];
    }
    for (int k = 0; k < 16; k++) {
        s[17 * t + k] += before;
    }
    if (t == 255) {
        block_sums[blockIdx.x] = before + sum;
    }
    __syncthreads();
    for (int k = t; k < ITEMS && start + k < n; k += 256) {
        out[start + k] = s[k + k / 16];
    }
}

extern "C" __global__ void __launch_bounds__(256) add_block_sums(int *out, const int *block_sums, int n)
{
    int start = blockIdx.x * ITEMS;
    for (int k = threadIdx.x; blockIdx.x > 0 && k < ITEMS && start + k < n; k += 256) {
        out[start + k] += block_sums[blockIdx.x - 1];
    }
}
