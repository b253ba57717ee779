// cause: threadIdx.x instead of the id decides who receives
// first: race_global chain
// says: one thread needs what the other replaces, and nothing says which comes first
// asks: which thread reads the element of dest that the message names?
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
    int tid = threadIdx.x;
    int id = blockIdx.x * blockDim.x + tid;
    int other = id + i;

    if (tid % (2 * i) == 0) {
        if (other < n) {
            dest[id] += dest[other];
        }
    }
}
