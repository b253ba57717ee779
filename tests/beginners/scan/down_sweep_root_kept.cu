// cause: The last cell is not set to zero before the down-sweep, so the total is carried into every sum.
// first: wrong_value own_total
// says: This is out after scan_blocks, before add_block_sums begins, and each element is too high already, by the sum of its whole block.
// asks: Which cell holds that sum, and how does it come into every element?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *g_in, int *g_out, int *block_sums, int n)
{
    __shared__ int temp[BLOCK];
    int thid = threadIdx.x;
    int gid = blockIdx.x * BLOCK + thid;
    int keep = gid < n ? g_in[gid] : 0;
    int offset = 1;

    temp[thid] = keep;

    for (int d = BLOCK >> 1; d > 0; d >>= 1) {      // build sum in place up the tree
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    __syncthreads();
    if (thid == 0) { block_sums[blockIdx.x] = temp[BLOCK - 1]; }

    for (int d = 1; d < BLOCK; d *= 2) {            // traverse down tree and build scan
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (gid < n) g_out[gid] = temp[thid] + keep;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int gid = blockIdx.x * BLOCK + threadIdx.x;
    if (gid < n && blockIdx.x > 0) out[gid] += block_sums[blockIdx.x - 1];
}
