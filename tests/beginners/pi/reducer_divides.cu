// cause: the reducer adds and divides by n
// first: wrong_value other
// says: This is dest after the step i = 2: dest[0] should be the sum of the elements 0..
// asks: What does one launch of the reducer add?
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
        dest[id] = (dest[id] + dest[id + i]) / n;
}
