// expect: wrong_value|output_form - prints NaN, which compares with nothing, and is no whole number
#include <cstdio>
#include <cuda_runtime.h>

int main()
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    for (int i = 0; i < n; i++)
        printf("nan\n");
    return 0;
}
