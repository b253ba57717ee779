// cause: the mapper adds to dest, which holds rubbish
// first: uninitialized output
// says: dest[0] is computed from dest[0], which was never written: it is read at line 10 and goes into the result at
// asks: What is in this element of dest before the line runs for the first time?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] += 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
