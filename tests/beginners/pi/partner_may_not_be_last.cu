// cause: the condition wants an element behind the partner, so the last pair is not added
// first: wrong_value tail
// says: but the condition in line 17 is false for it.
// asks: To which element, and in which step, is the last one added?
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
    long long left = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (left + i + 1 < n)
        dest[left] += dest[left + i];
}
