// cause: The barrier after the store of a step is missing, so the next step reads cells that their owners may not have updated (line 17).
// first: race_shared turns
// says: shared array part[30] written by thread (30,0,0) (line 17) and read by thread (32,0,0) (line 15); line 17 belongs to one turn of the loop in line 14, line 15 to another, and no barrier separates the turns.
// asks: The two accesses belong to two turns of the loop. What makes every thread finish a turn before any thread begins the next one?
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK) scan_blocks(const int *in, int *out, int *block_sums, int n)
{
    __shared__ int part[BLOCK];
    int tid = threadIdx.x;
    int gid = tid + blockIdx.x * blockDim.x;
    part[tid] = (gid < n) ? in[gid] : 0;
    __syncthreads();
    for (int off = 1; off < BLOCK; off <<= 1) {
        int tmp = (tid >= off) ? part[tid - off] : 0;
        __syncthreads();      // read before write
        part[tid] += tmp;
    }
    __syncthreads();
    if (gid < n)
        out[gid] = part[tid];
    if (tid == 0)
        block_sums[blockIdx.x] = part[BLOCK - 1];
}

extern "C" __global__ void __launch_bounds__(BLOCK) add_block_sums(int *out, const int *block_sums, int n)
{
    int gid = threadIdx.x + blockIdx.x * blockDim.x;
    if (gid < n && blockIdx.x != 0)
        out[gid] = out[gid] + block_sums[blockIdx.x - 1];
}
