// expect: pass - neighbouring threads take ids that lie gridDim.x apart
extern "C" __global__ void mapper(float *dest, int n)
{
    /* neighbouring threads take elements that lie gridDim.x apart */
    int id = threadIdx.x * gridDim.x + blockIdx.x;
    float delta = 1.0f / n;
    if (id < n) {
        float x = id * delta;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int pairs = (n - i + 2 * i - 1) / (2 * i);   /* rounded up */
    if (t < pairs) {
        int a = 2 * i * t;
        int b = a + i;
        float sum = dest[a];
        sum += dest[b];
        dest[a] = sum;
    }
}
