// expect: out_of_bounds line=1 - the line of the mistake claims to be in a FIFO
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#line 1 "@FOLDER@/fifo"
    a[i + 100000000] = 1;
}
