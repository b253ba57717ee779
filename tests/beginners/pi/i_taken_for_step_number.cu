// cause: takes i for the number of the step, but i is the distance itself; 1 << (i - 1) is right for i = 1 and 2 only, 8 for i = 4
// first: wrong_value exchanged
// says: dest[0] is made of dest[0..3] and dest[8..11], and should be made of dest[0..7].
// asks: Which elements does each step add, and to which?
extern "C" __global__ void mapper(float *dest, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < n) {
        float x = (float)idx / n;
        dest[idx] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    int dist = 1 << (i - 1);        // 1, 2, 4, 8, ...
    if (idx % (2 * dist) == 0 && idx + dist < n) {
        dest[idx] += dest[idx + dist];
    }
}
