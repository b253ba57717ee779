// cause: the trapezoid rule
// first: wrong_value formula
// says: Every element has the value of the mean of 4 / (1 + x*x) at both ends of the strip.
// asks: Compare the formula in the message with the one of the contract. Which sign, bracket or factor differs?
extern "C" __global__ void mapper(float *dest, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    float a = (float)t / n, b = (float)(t + 1) / n;
    dest[t] = (4 / (1 + a * a) + 4 / (1 + b * b)) / 2;
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
