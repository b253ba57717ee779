// cause: reducer_items is 1024, and every thread still looks after one element
// first: wrong_value items
// says: a block of 256 for each 1024 elements, as line 5 asks.
// asks: Which thread should take dest[1024]?
extern "C" __constant__ int reducer_items = 1024;

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
        dest[id] += dest[id + i];
}
