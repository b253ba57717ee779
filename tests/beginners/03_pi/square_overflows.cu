// cause: id * id is computed in int and overflows for id above 46340
// first: x
// says: x
// asks: x
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
