// cause: the pairs start at every multiple of i, not of 2*i, so one thread adds to the element that another reads
// first: race_warp chain
// says: one thread needs what the other replaces
// asks: Which one changes it?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = float(id) / n;
        dest[id] = 4 / (1 + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = (long long)i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
}
