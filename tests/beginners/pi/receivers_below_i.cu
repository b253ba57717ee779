// cause: the ids below i receive, as in a tree with falling distances
// first: wrong_value missing
// says: dest[3] is missing in dest[0], which has only dest[0..2].
// asks: Which thread should add it, and at which line?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

// sequential addressing, no divergent warps
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int stride = i;
    if (id < stride && id + stride < n) {
        dest[id] += dest[id + stride];
    }
}
