// cause: no barrier between the levels of the down-sweep
// first: race_shared step
// says: no barrier separates the reads and the writes of the steps
// asks: In one step thread t reads cell t - d. Which thread writes that cell in the same step?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
	__shared__ int tree[BLOCK];
	int tid = threadIdx.x;
	int i = blockIdx.x * BLOCK + tid;
	int own = i < n ? in[i] : 0;
	tree[tid] = own;
	__syncthreads();

	for (int w = 1; w < BLOCK; w *= 2) {
		int k = (tid + 1) * 2 * w - 1;
		if (k < BLOCK) tree[k] += tree[k - w];
		__syncthreads();
	}
	if (tid == 0) {
		block_sums[blockIdx.x] = tree[BLOCK - 1];
		tree[BLOCK - 1] = 0;
	}
	__syncthreads();
	for (int w = BLOCK / 2; w > 0; w /= 2) {
		int k = (tid + 1) * 2 * w - 1;
		if (k < BLOCK) {
			int l = tree[k - w];
			tree[k - w] = tree[k];
			tree[k] += l;
		}
	}
	__syncthreads();
	if (i < n) out[i] = tree[tid] + own;
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (blockIdx.x > 0 && i < n) {
		out[i] += block_sums[blockIdx.x - 1];
	}
}
