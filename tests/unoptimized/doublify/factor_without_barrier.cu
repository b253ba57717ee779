// cause: no barrier orders the store to the shared variable and its reads; the compiler keeps the only value that is ever stored
// line: 12
// says: shared variable factor written by thread (0,0,0) (line 9) and read by thread (32,0,0) (line 12); no barrier between them
extern "C" __global__ void doublify(float *arr, int size)
{
    __shared__ float factor;
    int pos = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) factor = 2.0f;

    if (pos < size)
        arr[pos] = factor * arr[pos];
}
