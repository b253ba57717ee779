// cause: a receiver without a partner stores only the missing partner's 0 instead of keeping its own value, so the tail of the array is lost
// first: wrong_value replaced
// says: dest[2] is the last element and has had no partner up to here, so it should be left as it is.
// asks: Which line stores to it?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    if (id < n && id % (2 * i) == 0)
        dest[id] = (id + i < n) ? dest[id] + dest[id + i] : 0.0f;
}
