// cause: reducer_items = 512 halves the number of threads (line 17), but the ids are those of the elements, so the second half of the elements has no thread
// first: wrong_value items
// says: No thread has the index of dest[2048] at line 23: the launch has 2048 threads
// asks: Which thread should take dest[2048]?
extern "C" __global__ void mapper(float *dest, int n)
{
    int total = gridDim.x * blockDim.x;
    for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < n; id += total) {
        float x = (float)id;
        x = x / n;
        float y = 1.0f + x * x;
        dest[id] = 4.0f / y;
    }
}

// a thread handles two elements: its own and that of its partner
extern "C" __constant__ int reducer_items = 512;

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        dest[id] = dest[id] + dest[id + i];
    }
}
