// cause: nothing: a barrier is between the only store and the reads
// line: 0
// says: nothing
extern "C" __global__ void doublify(float *arr, int size)
{
    __shared__ float factor;
    int pos = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) factor = 2.0f;

    __syncthreads();
    if (pos < size)
        arr[pos] = factor * arr[pos];
}
