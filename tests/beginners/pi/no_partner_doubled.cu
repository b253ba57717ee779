// cause: a receiver without a partner is added to itself
// first: wrong_value replaced
// says: is the last element and has had no partner up to here, so it should be left as it is.
// asks: Which line stores to it?
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
    if (id % (2 * i) == 0 && id < n) {
        int right = id + i < n ? id + i : id;
        dest[id] += dest[right];
    }
}
