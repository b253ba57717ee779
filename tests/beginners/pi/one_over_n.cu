// cause: 1 / n of two ints is 0
// first: wrong_value integer
// says: Every element is 4, so x was always 0.
// asks: What is 1/1000 when both are int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float width = 1 / n;
    float x = width * (float)id;

    if (id < n)
        dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
