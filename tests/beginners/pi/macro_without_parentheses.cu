// cause: the macro has no parentheses, so SQR(a + id * w) is a + id*w*a + id*w = x and not x*x: the value is 4 / (1 + x)
// first: wrong_value formula
// says: Every element has the value of 4 / (1 + x), without the square.
// asks: What does this line say once the macro is replaced by its text, and the parameter in it by what you wrote?
#define SQR(v) v * v

extern "C" __global__ void mapper(float *dest, int n)
{
    const float a = 0.0f, b = 1.0f;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    float w = (b - a) / n;
    if (id < n)
        dest[id] = 4.0f / (1.0f + SQR(a + id * w));
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id % (2 * i) != 0) return;
    if (id + i < n)
        dest[id] += dest[id + i];
}
