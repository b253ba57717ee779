// cause: reducer: lets the first i elements receive, as in a tree whose distance is halved (line 21), but i grows and the multiples of 2*i should receive
// first: wrong_value missing
// says: dest[3] is missing in dest[0], which has only dest[0..2].
// asks: Which thread should add it, and at which line?
__device__ float height(float x)
{
    return 4.0f / (x * x + 1.0f);
}

extern "C" __global__ void mapper(float *dest, int n)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < (unsigned)n)
        dest[id] = height((float)id / (float)n);
}

// the first i threads work, so that the busy threads are neighbours
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < i && id + i < n)
        dest[id] += dest[id + i];
}
