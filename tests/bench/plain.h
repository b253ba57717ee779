/* The algorithms of kernels.cu as plain C loops on one core: what the emulated kernels are compared with. */
#ifndef TESTS_BENCH_PLAIN_H
#define TESTS_BENCH_PLAIN_H

#include <stddef.h>

/* All have one shape: a, b inputs, c output, host memory; n as in the kernel of the same name. */
typedef void (*plain_function)(const float *a, const float *b, float *c, int n);

void plain_vector_add(const float *a, const float *b, float *c, int n);
void plain_matmul(const float *a, const float *b, float *c, int n);
void plain_matmul_tiled(const float *a, const float *b, float *c, int n);
void plain_block_reduce(const float *a, const float *b, float *c, int n);
void plain_block_scan(const float *a, const float *b, float *c, int n);
void plain_divergent(const float *a, const float *b, float *c, int n);
void plain_strided(const float *a, const float *b, float *c, int n);
void plain_histogram_uniform(const float *a, const float *b, float *c, int n);
void plain_histogram_skewed(const float *a, const float *b, float *c, int n);
void plain_transpose(const float *a, const float *b, float *c, int n);
void plain_nbody(const float *a, const float *b, float *c, int n);
void plain_shuffle_reduce(const float *a, const float *b, float *c, int n);

#endif
