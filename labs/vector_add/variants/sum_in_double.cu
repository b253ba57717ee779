// expect: pass - the sum of two floats in double is exact enough: rounded to float it is the nearest float
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i = i + stride) {
        double s = (double)a[i] + (double)b[i];
        c[i] = (float)s;
    }
}
