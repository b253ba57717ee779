// cause: adds dest[i] instead of dest[id + i], so every receiver takes the same element; only id 0 is right
// first: wrong_value exchanged
// says: dest[0] is made of dest[0], 2 x dest[1] and dest[2], and should be made of dest[0..3].
// asks: Which elements does each step add, and to which?
extern "C" __global__ void mapper(float *dest, int n)
{
    // --- your code ---
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x;
    if (id < n) {
        x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
    // --- end ---
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    // --- your code ---
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id + i < n && id % (2 * i) == 0) {
        dest[id] += dest[i];
    }
    // --- end ---
}
