// cause: reducer: sets a receiver without a partner to 0 (line 22) instead of leaving it for a later step, so its value is lost
// first: wrong_value replaced
// says: This is dest after the step i = 1: dest[2] is the last element and has had no partner up to here
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
    if (id >= n || id % (2 * i) != 0)
        return;
    if (id + i < n)
        dest[id] += dest[id + i];
    else
        dest[id] = 0.0f;      // nothing to add here
}
