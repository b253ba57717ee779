// cause: two arrays of its own, the second of which is too short
// line: 11
// says: write element 4, beyond the memory for each thread's own arrays, which has room for 4 elements (0..3)
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before[2], pair[2];
    int slot = threadIdx.x % 5;
    before[1] = 0;
    if (i < n) {
        pair[slot + 2] = a[i];
        before[0] = pair[slot + 2];
        a[i] = before[0] + pair[slot + 2];
    }
}
