// cause: `if (id + 2 * i <= n)` asks for a whole group of 2i elements, so an element whose partner exists in a ragged last group is not added (n = 3, i = 2: dest[2] is lost)
// first: wrong_value tail
// says: This is dest after the step i = 2: dest[28] should be the sum of the elements 28..30, but nothing from dest[30] on is in it.
// asks: To which element, and in which step, is the last one added?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // thread t owns the group of 2*i elements that begins at id
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + 2 * i <= n) {
        float left = dest[id];
        float right = dest[id + i];
        dest[id] = left + right;
    }
}
