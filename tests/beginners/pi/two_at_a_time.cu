// cause: pairs are stored as a whole, and the last of an odd number is not
// first: never_written wide
// says: covers up to 2 elements.
// asks: Which elements are left over behind the last whole group?
extern "C" __global__ void mapper(float *dest, int n)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x, id = 2 * pair;
    if (id + 1 < n) {
        float x = (float)id / n, y = (float)(id + 1) / n;
        ((float2 *)dest)[pair] = make_float2(4.0f / (1.0f + x * x), 4.0f / (1.0f + y * y));
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
