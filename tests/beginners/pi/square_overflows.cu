// cause: id * id is computed in int and overflows for id above 46340
// first: wrong_value overflow
// says: 46341 is the first whole number whose square does not fit in an int: 46341 * 46341 = 2147488281, and an int holds 2147483647 at most.
// asks: Which line squares the index?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float square = (float)(id * id) / ((float)n * n);
        dest[id] = 4.0f / (1.0f + square);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        float sum = dest[id] + dest[id + i];
        dest[id] = sum;
    }
}
