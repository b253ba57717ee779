// cause: for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) steps by one block although there are many blocks, so later elements are doubled by every block before them: a race
// first: race_global short_step
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which element does the first thread of a block take in its second turn?
extern "C" __global__ void doublify(float *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    {
        float old = a[i];
        a[i] = old + old;
    }
}
