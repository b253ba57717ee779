// expect: wrong_value - every thread prints for ever
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 5; k++)
        printf("%d flood flood flood flood flood flood flood flood flood flood flood flood flood flood flood\n", i);
    if (i < n)
        a[i] = 1;
}
