// cause: = for +=
// first: wrong_value missing
// says: dest[0..2] are missing in dest[0], which has only dest[3].
// asks: (These are the elements as they were before the first step.) Which thread should add them, and at which line?
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
        dest[id] = dest[id + i];
}
