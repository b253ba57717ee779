// cause: i and n are exchanged in the parameter list
// first: wrong_value missing
// says: 
// asks: The launch passes dest, i, n in this order, and your kernel calls them dest, n, i. Which name belong
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int n, int i)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) == 0 && id + i < n) {
        dest[id] += dest[id + i];
    }
}
