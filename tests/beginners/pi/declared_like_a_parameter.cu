// cause: a variable has the name of a parameter
// first: compile declared_twice
// says: i is a parameter of this function already. To give it another value, leave the type out
// asks:
extern "C" __global__ void mapper(float *dest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = (float)i / n;
        dest[i] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % (2 * i) == 0 && i + i < n) {
        dest[i] += dest[i + i];
    }
}
