// cause: x = (id + 1) / n
// first: wrong_value shifted
// says: Every element has the value of its right neighbour: x = (id+1)/n. Element 0 belongs to x = 0.
// asks: Element 0 belongs to x = 0, so its value is 4. What is yours?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (id + 1.0f) / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n)
        dest[id] += dest[id + i];
}
