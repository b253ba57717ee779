// cause: reducer: takes i for the number of the step and computes the distance 2^i (line 16), but i is the distance itself
// first: wrong_value exchanged
// says: it is what comes out if the step i adds what lies 2^i places to the right
// asks: Which elements does each step add, and to which?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)id / n;
    if (id < n)
        dest[id] = 4.0f / (1.0f + x * x);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    long long distance = i < 32 ? 1LL << i : 1LL << 32;    // in step i the partner is 2^i away
    if (id % (2 * distance) == 0 && id + distance < n)
        dest[id] += dest[id + distance];
}
