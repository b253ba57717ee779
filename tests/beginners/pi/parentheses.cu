// cause: the parentheses around 1 + x * x are missing
// first: wrong_value formula
// says: Every element has the value of 4 / 1 + x*x, that is 4 + x*x.
// asks: Which sign, bracket or factor differs?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / 1.0f + x * x;
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
