// adds what it reads a second time
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile float *v = a;
    if (i < n)
        v[i] = v[i] + v[i];
}
