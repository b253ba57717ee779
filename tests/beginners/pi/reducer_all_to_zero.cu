// cause: every thread adds to dest[0]
// first: race_warp update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: How many threads add to this element in one launch?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id > 0 && id < n && i == 1)
        dest[0] += dest[id];
}
