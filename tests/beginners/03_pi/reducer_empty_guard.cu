// cause: the reducer's guard is never true: id % (2 * i) == 1 (for i > 0)
// first: wrong_value first_only
// says: This is element 0 alone: nothing was added to it.
// asks: What the mapper stored is right in this case. Which kernel adds dest[1] to dest[0], and in which of its launches?
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
    if (id % (2 * i) == 1 && id + i < n)
        dest[id] += dest[id + i];
}
