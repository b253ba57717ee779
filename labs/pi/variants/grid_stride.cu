// expect: pass - blocks of 128, loops that step by the grid, the values in double
#define TPB 128
extern "C" __global__ void __launch_bounds__(TPB) mapper(float *__restrict__ dest, int n)
{
    const double h = 1.0 / n;
    for (int k = blockIdx.x * TPB + threadIdx.x; k < n; k += gridDim.x * TPB) {
        const double x = k * h;
        dest[k] = (float)(4.0 / (1.0 + x * x));
    }
}

extern "C" __global__ void __launch_bounds__(TPB) reducer(float *dest, int i, int n)
{
    const long long step = 2LL * i;
    const long long jump = step * gridDim.x * TPB;
    long long k = step * (blockIdx.x * TPB + threadIdx.x);
    while (k + i < n) {
        dest[k] += dest[k + i];
        k += jump;
    }
}
