// cause: the guard asks only whether the first of the four elements exists
// first: out_of_bounds wide
// says: read of 16 bytes from in[0] on: they reach in[1], but in has 1 element
// asks: How many bytes does this line access at once, and which elements of in are that?
#define BLOCK 256
extern "C" __constant__ int scan_blocks_items = 1024;
extern "C" __constant__ int add_block_sums_items = 1024;

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int at = blockIdx.x * 1024 + 4 * t;
    int4 v = make_int4(0, 0, 0, 0);
    if (at < n)
        v = *reinterpret_cast<const int4 *>(&in[at]);
    if (at + 1 >= n) v.y = 0;
    if (at + 2 >= n) v.z = 0;
    if (at + 3 >= n) v.w = 0;
    v.y += v.x; v.z += v.y; v.w += v.z;
    s[t] = v.w;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    int before = t ? s[t - 1] : 0;
    if (at < n)     out[at]     = v.x + before;
    if (at + 1 < n) out[at + 1] = v.y + before;
    if (at + 2 < n) out[at + 2] = v.z + before;
    if (at + 3 < n) out[at + 3] = v.w + before;
    if (t == 0) block_sums[blockIdx.x] = s[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    if (blockIdx.x > 0) {
        int b = block_sums[blockIdx.x - 1];
        for (int i = blockIdx.x * 1024 + threadIdx.x; i < n && i < (blockIdx.x + 1) * 1024; i += BLOCK)
            out[i] += b;
    }
}
