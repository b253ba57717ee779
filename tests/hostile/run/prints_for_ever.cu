// expect: fuel - printf takes the emulator longer than an instruction, and its time has to be counted
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 20000; k++)
        printf("%d %f %f %f\n", k, 1.0 / k, 2.0 / k, 3.0 / k);
    if (i < n)
        a[i] *= 2;
}
