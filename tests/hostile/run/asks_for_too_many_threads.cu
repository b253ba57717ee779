// expect: launch - the launch fails, so what stood there before is still there
extern "C" __global__ void __launch_bounds__(2048) doublify(float *a, int n)
{
    a[0] = 2;
}
