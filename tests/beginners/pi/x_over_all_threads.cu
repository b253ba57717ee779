// cause: x is id divided by the number of threads, not by n
// first: wrong_value formula
// says: with x = id / 256, and 256 is the number of all threads.
// asks: How do you compute x?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int count = gridDim.x * blockDim.x;
    float step = 1.0f / count;
    float x = id * step;
    if (id < n)
        dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] = dest[id] + dest[id + i];
}
