// cause: `const float x = id / (float)(n - 1);` divides by n - 1 (like linspace), so the last strip is at x = 1 and all but the first are too low; for n = 1 it is 0 / 0
// first: wrong_value formula
// says: Every element has the value of 4 / (1 + x*x) with x = id / (n - 1).
// asks: Which sign, bracket or factor differs?
extern "C" __global__ void mapper(float *dest, int n)
{
    const int id = blockDim.x * blockIdx.x + threadIdx.x;

    if (id < n) {
        // n points from 0 to 1
        const float x = id / (float)(n - 1);
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    const long long id = 2LL * i * (blockDim.x * blockIdx.x + threadIdx.x);

    if (id + i < n) {
        dest[id] += dest[id + i];
    }
}
