// cause: pi_finish: has 512 threads, but the shared array has 256 cells only (line 31): out of bounds
// first: out_of_bounds cell
// says: cell is declared in line 31 with BLOCK = 256 elements
// asks: How many cells does cell have, and how many threads come to line 35, each with an index of its own?
#define BLOCK 256
extern "C" __constant__ int pi_finish_block[3] = {2 * BLOCK, 1, 1};

__device__ void add_up(float *cell)
{
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            cell[threadIdx.x] += cell[threadIdx.x + d];
        __syncthreads();
    }
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float cell[BLOCK];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    cell[threadIdx.x] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    add_up(cell);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = cell[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float cell[BLOCK];
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        sum += partial[k];
    cell[threadIdx.x] = sum;
    add_up(cell);
    if (threadIdx.x == 0)
        partial[0] = cell[0];
}
