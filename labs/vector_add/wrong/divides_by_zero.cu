// expect: division_by_zero line=8 - works on rows of 1000 elements, and short vectors have none
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int rows = n / 1000;
    if (i >= n)
        return;
    int row = i / rows;
    if (row >= 0)
        c[i] = a[i] + b[i];
}
