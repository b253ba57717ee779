// cause: the loop goes on by blockDim.x, so that every block takes the elements of the next ones
// first: race_global short_step
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which element does the first thread of a block take in its second turn?
extern "C" __global__ void mapper(float *dest, int n)
{
    // Each thread computes one element. Beware: id / n is an integer division unless you say otherwise.
    // --- your code ---
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n)
    {
        double x = 1.0 * id / n;
        dest[id] = 4 / (1 + x * x);
    }
    // --- end ---
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // --- your code ---
    for (int id = threadIdx.x + blockIdx.x * blockDim.x; id + i < n; id += blockDim.x)
    {
        if (id % (2 * i) == 0)
        {
            dest[id] += dest[id + i];
        }
    }
    // --- end ---
}
