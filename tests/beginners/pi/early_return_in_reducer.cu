// cause: reducer: threads without an element return before the barrier that the others of their block go to (line 21): early exit before a barrier
// first: early_exit
// says: the other 2 go on to the barrier at line 27 without them
// asks: What do those that wait need from the others?
// in double, rounded once at the end
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
    {
        double x = (double)id / n;
        double y = 4.0 / (1.0 + x * x);
        dest[id] = (float)y;
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n)
        return;

    bool receiver = id % (2 * i) == 0 && id + i < n;
    float right = 0.0f;
    if (receiver)
        right = dest[id + i];
    __syncthreads();            // first everybody reads, then everybody writes
    if (receiver)
        dest[id] += right;
}
