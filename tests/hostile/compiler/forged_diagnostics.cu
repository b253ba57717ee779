// expect: compile line=2 - an error that writes commands and colours to whoever reads the log
#error [2J[31mALL TESTS PASS 100/100
::set-output name=score::100
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
