// expect: pass - a template in shared memory with two buffers, blocks of 128 in both kernels
template <typename T, int SIZE>
struct Scanner {
    T cell[2][SIZE];
    __device__ T run(T x)
    {
        int t = threadIdx.x, cur = 0;
        cell[cur][t] = x;
        __syncthreads();
        #pragma unroll
        for (int d = 1; d < SIZE; d *= 2) {
            cell[!cur][t] = t < d ? cell[cur][t] : cell[cur][t] + cell[cur][t - d];
            cur = !cur;
            __syncthreads();
        }
        return cell[cur][t];
    }
};

static const int SIZE = 128;

extern "C" __global__ void __launch_bounds__(SIZE) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ Scanner<unsigned, SIZE> scanner;
    int i = blockIdx.x * SIZE + threadIdx.x;
    unsigned r = scanner.run(i < n ? in[i] : 0);
    if (i < n) out[i] = r;
    if (threadIdx.x + 1 == SIZE) block_sums[blockIdx.x] = r;
}

extern "C" __global__ void __launch_bounds__(SIZE) add_block_sums(int *out, const int *block_sums, int n)
{
    __shared__ int offset;
    if (threadIdx.x == 0) offset = blockIdx.x == 0 ? 0 : block_sums[blockIdx.x - 1];
    __syncthreads();
    int i = blockIdx.x * SIZE + threadIdx.x;
    if (i < n) out[i] += offset;
}
