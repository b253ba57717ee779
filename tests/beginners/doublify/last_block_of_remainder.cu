// cause: the last block takes n % blockDim.x elements (line 9), which is 0 when n is a multiple of the block: the last 256 elements are then never written
// first: never_written not_reached
// says: size = n%blockDim.x = 256%256 = 0
// asks: What sends the thread in the message past the store
extern "C" __global__ void doublify(float *a, int n)
{
    int size = blockDim.x;                 // how many elements has my block?
    if (blockIdx.x == gridDim.x - 1)
        size = n % blockDim.x;             // the last one has the rest

    if (threadIdx.x < size) {
        float *block = a + blockIdx.x * blockDim.x;
        block[threadIdx.x] = 2.0f * block[threadIdx.x];
    }
}
