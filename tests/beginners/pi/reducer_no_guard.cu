// cause: id + i is not checked
// first: out_of_bounds guard
// says: read dest[2], but dest has 2 elements (0..1)
// asks: Which threads have nothing to do?
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
    if (id % (2 * i) == 0)
        dest[id] += dest[id + i];
}
