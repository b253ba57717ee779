// cause: adds in the wrong direction: dest[id + i] += dest[id]
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
    if (id % (2 * i) == 0 && id + i < n)
        dest[id + i] += dest[id];
}
