// cause: the array has 4 elements, and every thread uses another one; the compiler keeps the value in a register
// line: 9
// says: write tmp[4], beyond the memory for each thread's own arrays, which has room for 4 elements (0..3)
extern "C" __global__ void doublify(float *a, int n)
{
    float tmp[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        tmp[i] = 2.0f * a[i];
        a[i] = tmp[i];
    }
}
