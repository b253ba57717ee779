// cause: 1 / n is an integer division, so step is 0 for every n > 1 and every value is 4
// first: wrong_value integer
// says: Every element is 4, so x was always 0.
// asks: What is 1/1000 when both are int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float step = 1 / n;              // width of a strip
    if (id < n) {
        float x = id * step;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
