// cause: the partner is added twice
// first: wrong_value multiple
// says: Besides what belongs there, dest[0] contains dest[1..2] and 3 x dest[3].
// asks: (These are the elements as they were before the first step.) Where is it counted again: in another line, in another turn of a loop, or in another thread?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) { float x = (float)id / n; dest[id] = 4 / (1 + x * x); }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) dest[id] = dest[id] + dest[id + i] + dest[id + i];
}
