// expect: out_of_bounds line=5 - the published index for one 4 x 4 block: right for 16 elements only
extern "C" __global__ void doublify(float *a, int n)
{
    int idx = threadIdx.x + threadIdx.y * 4;
    a[idx] *= 2;
}
