// cause: of two elements that a thread reads, each goes to the other place
// first: wrong_value carried
// says: Thread (0,0,0) of block (0,0,0), which stores c[0], reads both a[1] and a[0], at line 9.
// asks: On the way to c[0], where does the one take the place of the other?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        float x = a[i], y = a[i + 1];
        c[i] = y + b[i];
        c[i + 1] = x + b[i + 1];
    } else if (i < n)
        c[i] = a[i] + b[i];
}
