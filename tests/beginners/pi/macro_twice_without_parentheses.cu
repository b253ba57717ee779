// cause: `#define TWICE(v) v + v` without brackets: `t * TWICE(i)` is t*i + i, so the receivers are the elements (t+1)*i, and neighbours read what others write
// first: wrong_value missing
// says: Line 20 stores to dest[1], for example. dest[1] is missing in dest[0], which has only dest[0]. dest[1] is read once, at line 20 by thread (0,0,0) of block (0,0,0).
// asks: Line 18 first: What does this line say once the name is replaced by the text of its definition?
#define TWICE(v) v + v
#define HEIGHT(x) (4.0f / (1.0f + (x) * (x)))

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n)
        dest[id] = HEIGHT((float)id / (float)n);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long id = t * TWICE(i);
    if (id + i < n)
        dest[id] += dest[id + i];
}
