// each thread takes the block's lock to add its element
extern "C" __constant__ int pi_sum_items = 256;

__device__ float value(int id, int n)
{
    float x = (float)id / (float)n;
    return id < n ? (float)4 / ((float)1 + x * x) : (float)0;
}

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sum;
    __shared__ int lock;
    if (threadIdx.x == 0) {
        sum = 0.0f;
        lock = 0;
    }
    __syncthreads();
    float mine = value(blockIdx.x * 256 + threadIdx.x, n);
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            *(volatile float *)&sum += mine;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ double s[256];
    double sum = 0.0;
    for (int k = threadIdx.x; k < blocks; k += 256)
        sum += partial[k];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 256 / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[0] = (float)s[0];
}
