// expect: race_global - the index lacks the block: every block doubles the same elements, the rest is left as it was
extern "C" __global__ void doublify(float *a, int n)
{
    int idx = threadIdx.x + threadIdx.y * 4;
    if (idx < n)
        a[idx] *= 2;
}
