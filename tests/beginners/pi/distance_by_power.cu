// cause: `int distance = 1 << i;` takes i for the number of the step, but i is the distance itself (1, 2, 4 ...), so the partners are too far apart and elements are lost; from i = 32 on the shift is undefined
// first: wrong_value distance
// says: This is dest after the step i = 2, and it is what comes out if the step i adds what lies 2^i places to the right: 2 places for i = 1, 4 for i = 2.
// asks: Which values does i have, one launch after the other, and which distance should a step have?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4 / (1 + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // step i: the partners are 2^i elements apart
    int distance = 1 << i;
    long long id = 2LL * distance * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + distance < n) {
        dest[id] += dest[id + distance];
    }
}
