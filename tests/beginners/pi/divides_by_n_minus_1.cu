// cause: mapper: divides by n - 1, so that the last x is 1 (line 10); the contract says x = id / n (and n = 1 gives 0 / 0)
// first: wrong_value formula
// says: Every element has the value of 4 / (1 + x*x) with x = id / (n - 1)
// asks: Which sign, bracket or factor differs?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        // n points from 0 to 1
        float x = (float)id / (n - 1);
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int step = 2 * i;
    if (id % step != 0) return;
    if (id + i >= n) return;
    dest[id] += dest[id + i];
}
