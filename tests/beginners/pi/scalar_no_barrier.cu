// cause: no barrier before thread 0 reads the shared sum
// first: race_mixed
// says: shared variable sum changed atomically by thread (1,0,0) (line 17) and read by thread (0,0,0) (line 21)
// asks: What must every thread of the block have finished before any of them goes on to line 21?
extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float sum;
    int id = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();

    if (id < n) {
        float x = (float) id / (float) n;
        float height = 4.0f / (1.0f + x * x);
        atomicAdd(&sum, height);
    }

    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float sum;

    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();

    for (int k = threadIdx.x; k < blocks; k += blockDim.x)
        atomicAdd(&sum, partial[k]);
    __syncthreads();

    if (threadIdx.x == 0)
        partial[0] = sum;
}
