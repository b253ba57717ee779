// expect: compile line=1 - the message claims to be about another file, which must not be shown
#line 1 "@FOLDER@/canary"
int broken = ;
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
