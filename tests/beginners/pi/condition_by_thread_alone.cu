// cause: tests threadIdx.x and not the global id; from i = 256 on thread 0 of every block adds, also ids that are not multiples of 2*i, a race between blocks
// first: race_global chain
// says: dest[256] read by thread (0,0,0) of block (0,0,0) (line 21) and written by thread (0,0,0) of block (1,0,0) (line 21)
// asks: Which one changes it?
extern "C" __global__ void mapper(float *dest, int n)
{
    int tid = threadIdx.x;
    int id = blockIdx.x * blockDim.x + tid;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int tid = threadIdx.x;
    int id = blockIdx.x * blockDim.x + tid;
    if (tid % (2 * i) == 0) {
        if (id + i < n)
            dest[id] += dest[id + i];
    }
}
