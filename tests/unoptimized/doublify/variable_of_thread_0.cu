// cause: f has a value in thread 0 alone; the compiler takes it for 2 everywhere
// line: 11
// says: a[1] is computed from a variable that was never given a value. Only the program
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float f;
    if (i == 0)
        f = 2.0f;
    if (i < n)
        a[i] = f * a[i];
}
