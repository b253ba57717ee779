// cause: the mapper leaves out the last element
// first: never_written left
// says: Line 10 stores dest[0..29]. The last line that thread (30,0,0) ran, whose element would be dest[30], is line 8.
// asks: Which condition makes the thread in the message leave, and should it?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n - 1) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
