#include "tests/bench/plain.h"

void plain_vector_add(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

/* Rows of b in the inner loop, so that a CPU reads memory in order. */
void plain_matmul(const float *a, const float *b, float *c, int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++)
            c[row * n + column] = 0;
        for (int k = 0; k < n; k++) {
            for (int column = 0; column < n; column++)
                c[row * n + column] += a[row * n + k] * b[k * n + column];
        }
    }
}

enum { TILE = 64 };

void plain_matmul_tiled(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n * n; i++)
        c[i] = 0;
    for (int from = 0; from < n; from += TILE) {
        for (int row = 0; row < n; row++) {
            for (int k = from; k < from + TILE; k++) {
                for (int column = 0; column < n; column++)
                    c[row * n + column] += a[row * n + k] * b[k * n + column];
            }
        }
    }
}

void plain_block_reduce(const float *a, const float *b, float *c, int n)
{
    (void)b;
    for (int block = 0; block < n / 256; block++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += a[block * 256 + i];
        c[block] = sum;
    }
}

void plain_block_scan(const float *a, const float *b, float *c, int n)
{
    (void)b;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        sum = i % 256 == 0 ? a[i] : sum + a[i];
        c[i] = sum;
    }
}

void plain_divergent(const float *a, const float *b, float *c, int n)
{
    (void)a;
    (void)b;
    for (int i = 0; i < n; i++) {
        unsigned value = (unsigned)i + 1, steps = 0;
        for (; value != 1; steps++)
            value = value % 2 != 0 ? 3 * value + 1 : value / 2;
        c[i] = (float)steps;
    }
}

void plain_strided(const float *a, const float *b, float *c, int n)
{
    (void)b;
    for (int i = 0; i < n; i++)
        c[i] = a[i / 1024 * 1024 + i % 32 * 32 + i % 1024 / 32] + 1;
}
