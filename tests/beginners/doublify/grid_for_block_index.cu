// cause: gridDim.x instead of blockIdx.x: every index is beyond the end
// first: never_written not_reached
// says: but no thread came to it.
// asks: What sends the thread in the message past the store, and with which values?
extern "C" __global__ void doublify(float *vec, int count)
{
    int globalId = gridDim.x * blockDim.x + threadIdx.x;
    if (globalId < count)
        vec[globalId] = vec[globalId] * 2.0f;
}
