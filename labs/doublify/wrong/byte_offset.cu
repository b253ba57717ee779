// expect: misaligned line=7 - steps through the floats byte by byte
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float *p = (float *)((char *)a + i);
        *p = *p * 2;
    }
}
