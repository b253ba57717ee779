// cause: the total is added up in a __device__ variable that nobody sets back
// first: wrong_value kept
// says: adds to total, a variable that keeps its value from one launch to the next, and no line sets it again.
// asks: What does the variable in the message hold when a launch begins
__device__ float total = 0.0f;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    __shared__ float v[256];
    const int me = threadIdx.x;
    const int id = blockIdx.x * 256 + me;
    const float x = id / (float)n;
    v[me] = id < n ? 4.0f / (1.0f + x * x) : 0.0f;
    __syncthreads();
    for (int h = 128; h != 0; h >>= 1) {
        if (me < h) v[me] += v[me + h];
        __syncthreads();
    }
    if (me == 0) partial[blockIdx.x] = v[0];
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    float mine = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) mine += partial[b];
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0) partial[0] = total;
}
