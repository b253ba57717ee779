// cause: blockIdx times threadIdx plus blockDim
// first: never_written not_reached
// says: All 256 threads came to line 20, which stores into out, but none of them stored.
// asks: What sends the thread in the message past the store, and with which values?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
	__shared__ int s[BLOCK];
	int t = threadIdx.x;
	int idx = blockIdx.x * threadIdx.x + blockDim.x;
	s[t] = idx < n ? in[idx] : 0;
	__syncthreads();
	for (int dist = 1; dist < BLOCK; dist *= 2) {
		int x = t >= dist ? s[t - dist] : 0;
		__syncthreads();
		s[t] += x;
		__syncthreads();
	}
	if (idx < n) out[idx] = s[t];
	if (t == BLOCK - 1) block_sums[blockIdx.x] = s[t];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
	int idx = blockIdx.x * blockDim.x + threadIdx.x;
	if (blockIdx.x > 0 && idx < n) {
		out[idx] += block_sums[blockIdx.x - 1];
	}
}
