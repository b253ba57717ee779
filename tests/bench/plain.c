#include "tests/bench/plain.h"

#include <math.h>

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

static void count(const float *in, float *counts, int n, int skewed)
{
    for (int i = 0; i < n / 4096 * 256; i++)
        counts[i] = 0;
    for (int i = 0; i < n; i++) {
        float value = in[i];
        if (skewed)
            value = value * value * value * value;
        counts[i / 4096 * 256 + (int)(value * 256)]++;
    }
}

void plain_histogram_uniform(const float *a, const float *b, float *c, int n)
{
    (void)b;
    count(a, c, n, 0);
}

void plain_histogram_skewed(const float *a, const float *b, float *c, int n)
{
    (void)b;
    count(a, c, n, 1);
}

void plain_transpose(const float *a, const float *b, float *c, int n)
{
    (void)b;
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++)
            c[column * n + row] = a[row * n + column];
    }
}

void plain_nbody(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++) {
        double force = 0;
        for (int k = 0; k < n; k++) {
            double dx = (double)a[k] - (double)a[i], dy = (double)b[k] - (double)b[i], square = dx * dx + dy * dy + 0.01;
            force += dx / (square * sqrt(square));
        }
        c[i] = (float)force;
    }
}

void plain_shuffle_reduce(const float *a, const float *b, float *c, int n)
{
    (void)b;
    for (int warp = 0; warp < n / 32; warp++) {
        float sum = 0;
        for (int i = 0; i < 32; i++)
            sum += a[warp * 32 + i];
        c[warp] = sum;
    }
}
