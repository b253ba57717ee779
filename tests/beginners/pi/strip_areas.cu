// cause: the mapper stores the area of the strip
// first: wrong_value divided
// says: Every element is its right value divided by n.
// asks: Who divides by n, and when?
extern "C" __global__ void mapper(float *dest, int n)
{
    int strip = blockIdx.x * blockDim.x + threadIdx.x;
    float dx = 1.0f / (float)n;
    if (strip < n) {
        float x = strip * dx;
        float height = 4.0f / (1.0f + x * x);
        dest[strip] = height * dx;
    }
}
extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long k = threadIdx.x + blockDim.x * blockIdx.x;
    if (k % (2 * i) == 0 && k + i < n)
        dest[k] = dest[k] + dest[k + i];
}
