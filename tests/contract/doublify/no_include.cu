// page: reference.md
// says: What CUDA C has built in needs no `#include`
// expect: pass
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ int counted;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        counted = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&counted, 1);
        a[i] += isnan(a[i]) ? a[i] : fminf(a[i], fabsf(a[i]));
    }
    if (n == 1 && i == 0) {
        printf("%d element\n", counted);
    }
}
