// cause: `for (int d = 1; d < n; d *= 2)` ends the steps at the number of elements instead of the block: out is right, but with up to 128 elements cells[255] never receives the first cells, and block_sums is too small (0 for n = 8)
// first: wrong_value step_end
// says: With other numbers in in, the wrong elements stay what they are.
// asks: How far to the left does the last thread of the block see, after the last step?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ unsigned cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        cells[t] = in[i];
    } else {
        cells[t] = 0;
    }
    __syncthreads();

    for (int d = 1; d < n; d *= 2) {
        unsigned left = 0;
        if (t >= d) {
            left = cells[t - d];
        }
        __syncthreads();
        cells[t] += left;
        __syncthreads();
    }

    if (i < n) {
        out[i] = cells[t];
    }
    if (t == BLOCK - 1) {
        block_sums[blockIdx.x] = cells[t];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n) {
    int gid = threadIdx.x + blockIdx.x * BLOCK;
    unsigned carry = blockIdx.x ? (unsigned)block_sums[blockIdx.x - 1] : 0u;
    if (gid < n) {
        out[gid] = (int)(out[gid] + carry);
    }
}
