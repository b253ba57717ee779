// expect: wrong_value - prints a zero for each number that it is given first
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing()
{
}

int main()
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        printf("0\n");
    return 0;
}
