// expect: compile - a gigabyte for each thread
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile float huge[1 << 28];
    huge[i & 1023] = 2;
    if (i < n)
        a[i] *= huge[i & 1023];
}
