// expect: wrong_value|output_form - prints its input
#include <cstdio>
#include <cuda_runtime.h>

int main()
{
    int n;
    float number;
    if (scanf("%d", &n) != 1)
        return 1;
    while (n-- > 0 && scanf("%f", &number) == 1)
        printf("%.9g\n", number);
    return 0;
}
