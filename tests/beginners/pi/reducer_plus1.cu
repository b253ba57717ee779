// cause: dest[id + 1] for dest[id + i]
// first: wrong_value exchanged
// says: dest[0] is made of dest[0] and 2 x dest[1], and should be made of dest[0..3].
// asks: (These are the elements as they were before the first step.) Which elements does each step add, and to which?
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
        dest[id] += dest[id + 1];
}
