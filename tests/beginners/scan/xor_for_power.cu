// cause: 2 ^ p is the exclusive or, no power
// first: wrong_value multiple
// says: out[0] is 2 x in[0], where it should be in[0].
// asks: Line 22 first: What does the operator in this line mean in C?
#define BLOCK 256
#define STEPS 8        // log2(256)

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int values[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        values[t] = in[i];
    } else {
        values[t] = 0;
    }
    __syncthreads();

    for (int p = 0; p < STEPS; p++) {
        int d = 2 ^ p;
        int neighbour = 0;
        if (t >= d) {
            neighbour = values[t - d];
        }
        __syncthreads();
        values[t] = values[t] + neighbour;
        __syncthreads();
    }

    if (i < n) {
        out[i] = values[t];
    }
    if (t == BLOCK - 1) {
        block_sums[blockIdx.x] = values[t];
    }
}

extern "C" __global__ void add_block_sums(int *out, const int *block_sums, int n)
{
    int b = blockIdx.x;
    if (b == 0) return;
    int k = b * blockDim.x + threadIdx.x;
    if (k >= n) return;
    out[k] = out[k] + block_sums[b - 1];
}
