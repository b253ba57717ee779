// cause: the number of pairs is rounded down, so a last pair whose block of 2i elements is not full is left out
// first: wrong_value tail
// says: 1 of 31 elements is wrong.
// asks: To which element, and in which step, is the last one added?
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
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    int pairs = n / (2 * i);
    if (pair < pairs) {
        int id = 2 * i * pair;
        dest[id] += dest[id + i];
    }
}
