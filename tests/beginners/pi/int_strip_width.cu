// cause: mapper: 1 / n is a division of two ints, 0 for every n above 1 (line 8), so x is always 0 and every value is 4
// first: wrong_value integer
// says: Line 8 divides 1 by n, and both are whole numbers
// asks: What is 1/1000 when both are int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float dx = 1 / n;              // width of a strip
    if (id < n) {
        float x = id * dx;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long left = (long long)(blockIdx.x * blockDim.x + threadIdx.x) * 2 * i;
    if (left + i < n)
        dest[left] += dest[left + i];
}
