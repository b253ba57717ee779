// cause: ^ is the exclusive or and does not exist for floats, so the file does not compile
// first: compile power
// says: ^ is the exclusive or of whole numbers, not a power.
// asks:
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float) id / n;
        dest[id] = 4.0f / (1.0f + x ^ 2);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id + i < n && id % (i + i) == 0)
        dest[id] += dest[id + i];
}
