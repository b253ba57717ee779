// cause: `__shared__ int sums[256];` stores the heights as ints, so every fraction is cut off
// first: wrong_value whole
// says: The sum is a whole number, 81: the fractions are lost.
// asks: What on the way holds whole numbers only?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ int sums[256];
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        sums[threadIdx.x] = 4.0f / (1.0f + x * x);
    } else {
        sums[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s = s / 2) {
        if (threadIdx.x < s) {
            sums[threadIdx.x] += sums[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0];
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float sums[256];
    sums[threadIdx.x] = 0;
    for (int k = threadIdx.x; k < blocks; k += blockDim.x) {
        sums[threadIdx.x] += partial[k];
    }
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s = s / 2) {
        if (threadIdx.x < s) {
            sums[threadIdx.x] += sums[threadIdx.x + s];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[0] = sums[0];
    }
}
