// cause: the loop stores one element too many into an array that is hardly used
// line: 14
// says: beyond the memory for each thread's own arrays, which has room for 4 elements (0..3)
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum;
    switch (threadIdx.x & 1) {
    case 0: sum = a[i < n ? i : 0] + b[i < n ? i : 0]; break;
    case 1: sum = a[i < n ? i : 0] + b[i < n ? i : 0];
    }
    float unused[4];
    for (int k = 0; k <= 4; k++)
        unused[k] = sum;
    if (i < n)
        c[i] = unused[0];
}
