#include <math.h>
#include <stdlib.h>

/* The number whose bits these are: sign, 5 bits of exponent, 10 of fraction (IEEE 754, binary16). */
static double value_of(unsigned short half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double size = exponent == 0    ? ldexp(fraction, -24)
                  : exponent == 31 ? (fraction ? NAN : INFINITY)
                                   : ldexp(1024 + fraction, exponent - 25);
    return half >> 15 ? -size : size;
}

/* tensor_cores on the CPU, in double: the products of one element of A with a whole row of B, row after row. */
void tensor_cores(const unsigned short *A, const unsigned short *B, double *C, int M, int N, int K)
{
    double *b = malloc((size_t)K * N * sizeof *b);
    for (long i = 0; i < (long)K * N; i++)
        b[i] = value_of(B[i]);
    for (int row = 0; row < M; row++) {
        double *sums = C + (long)row * N;
        for (int column = 0; column < N; column++)
            sums[column] = 0;
        for (int k = 0; k < K; k++) {
            double a = value_of(A[(long)row * K + k]);
            for (int column = 0; column < N; column++)
                sums[column] += a * b[(long)k * N + column];
        }
    }
    free(b);
}
