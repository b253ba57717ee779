// expect: pass - four elements in a thread as an int4, 1024 in a block, and the rest one by one
#define PIECE 1024
extern "C" __constant__ int scan_blocks_items = PIECE;
extern "C" __constant__ int add_block_sums_items = PIECE;

__device__ int4 load4(const int *p, int k, int n)
{
    if (k + 3 < n)
        return *(const int4 *)(p + k);
    int4 v = {0, 0, 0, 0};
    if (k < n) v.x = p[k];
    if (k + 1 < n) v.y = p[k + 1];
    if (k + 2 < n) v.z = p[k + 2];
    return v;
}

__device__ void store4(int *p, int k, int n, int4 v)
{
    if (k + 3 < n) {
        *(int4 *)(p + k) = v;
        return;
    }
    if (k < n) p[k] = v.x;
    if (k + 1 < n) p[k + 1] = v.y;
    if (k + 2 < n) p[k + 2] = v.z;
}

extern "C" __global__ void scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int warp_total[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int k = blockIdx.x * PIECE + 4 * threadIdx.x;

    int4 v = load4(in, k, n);
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;

    int mine = v.w, sum = mine;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffffu, sum, d);
        if (lane >= d)
            sum += left;
    }
    if (lane == 31)
        warp_total[warp] = sum;
    __syncthreads();
    int before = sum - mine;
    for (int w = 0; w < warp; w++)
        before += warp_total[w];

    v.x += before; v.y += before; v.z += before; v.w += before;
    store4(out, k, n, v);
    if (threadIdx.x == 255)
        block_sums[blockIdx.x] = v.w;
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int k = blockIdx.x * PIECE + 4 * threadIdx.x;
    if (blockIdx.x > 0) {
        int s = block_sums[blockIdx.x - 1];
        int4 v = load4(out, k, n);
        v.x += s; v.y += s; v.z += s; v.w += s;
        store4(out, k, n, v);
    }
}
