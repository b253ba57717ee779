// cause: The int in the inner block declares a second variable, so the outer one stays 0 and everything is summed up to 0.
// first: wrong_value unused
// says: Nothing that is read from in reaches the result.
// asks: does it declare a second one of the same name?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    int value = 0;
    if (i < n) {
        int value = in[i];
    }
    cells[t] = value;
    __syncthreads();

    for (int d = 1; d < BLOCK; d *= 2) {
        int left = 0;
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

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && blockIdx.x > 0) {
        out[i] += block_sums[blockIdx.x - 1];
    }
}
