// cause: no barrier between the levels of the down-sweep
// first: race_shared turns
// says: the two belong to different turns of the loop in line 26, and no barrier separates the turns
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins
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
