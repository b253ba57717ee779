// cause: mapper: the guard lets x = 1 through, that is id = n (line 9), which has no element: out of bounds
// first: out_of_bounds guarded
// says: Line 9 asks x <= 1.0f before it
// asks: Does it ask about the very index that is used, and about the length of dest?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)id / (float)n;
    if (x <= 1.0f)          // x runs from 0 to 1
        dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    int partner = id + i;
    if (id % (i + i) == 0 && partner < n)
        dest[id] += dest[partner];
}
