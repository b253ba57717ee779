/* Sums of transposed matrices, products with diagonal ones, and packed triangles. */
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };

/* One for each type: C = alpha op(A) + beta op(B), and C = X A or A X for a diagonal X. A factor of 0 leaves its matrix out,
 * NaN included. A and B may be C. */
#define ARRANGE(T, geam, dgmm, CONJ)                                                                                       \
    static void geam(const int op[2], int64_t m, int64_t n, const T factors[2], const T *const from[2],                    \
                     const int64_t ld[2], T *c, int64_t ldc)                                                               \
    {                                                                                                                      \
        for (int64_t j = 0; j < n; j++)                                                                                    \
            for (int64_t i = 0; i < m; i++) {                                                                              \
                T sum = 0;                                                                                                 \
                for (int k = 0; k < 2; k++) {                                                                              \
                    if (!from[k])                                                                                          \
                        continue;                                                                                          \
                    T value = op[k] == OP_N ? from[k][i + j * ld[k]] : from[k][j + i * ld[k]];                             \
                    sum += factors[k] * (op[k] == OP_C ? CONJ(value) : value);                                             \
                }                                                                                                          \
                c[i + j * ldc] = sum;                                                                                      \
            }                                                                                                              \
    }                                                                                                                      \
    static void dgmm(int side, int64_t m, int64_t n, const T *a, int64_t lda, const T *x, int64_t incx, T *c, int64_t ldc) \
    {                                                                                                                      \
        int64_t count = side == SIDE_LEFT ? m : n, start = incx < 0 ? (1 - count) * incx : 0;                              \
        for (int64_t j = 0; j < n; j++)                                                                                    \
            for (int64_t i = 0; i < m; i++)                                                                                \
                c[i + j * ldc] = a[i + j * lda] * x[start + (side == SIDE_LEFT ? i : j) * incx];                           \
    }
#define SAME(value) (value)
ARRANGE(float, geam_s, dgmm_s, SAME)
ARRANGE(double, geam_d, dgmm_d, SAME)
ARRANGE(float complex, geam_c, dgmm_c, conjf)
ARRANGE(double complex, geam_z, dgmm_z, conj)

int blas_geam(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, const void *alpha, const void *a,
              int64_t lda, const void *beta, const void *b, int64_t ldb, void *c, int64_t ldc)
{
    enum blas_type type = call->type;
    uint64_t size = blas_size(type);
    const int op[2] = {opa, opb};
    const int64_t ld[2] = {lda, ldb};
    const void *const given[2] = {a, b}, *const scalars[2] = {alpha, beta};
    const void *from[2] = {NULL, NULL};
    union cublas_number number;
    char factors[2 * sizeof number] __attribute__((aligned(16)));
    if (m < 0 || n < 0 || ldc < cublas_at_least_one(m))
        return CUBLAS_INVALID_VALUE;
    for (int k = 0; k < 2; k++) {
        bool in_place = given[k] == c && c;
        if (!cublas_is_operation(op[k]) || ld[k] < cublas_at_least_one(cublas_stored_rows(op[k], m, n))
            || (in_place && (op[k] != OP_N || ld[k] != ldc)))
            return CUBLAS_INVALID_VALUE;
    }
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    for (int k = 0; k < 2; k++) {
        if (!cublas_scalar(call, scalars[k], size, &number))
            return call->status;
        memcpy(factors + (size_t)k * size, &number, size);
        if (!cublas_is_zero(type, &number))
            from[k] = op[k] == OP_N ? cublas_matrix(call, given[k], m, n, ld[k], READ)
                                    : cublas_matrix(call, given[k], n, m, ld[k], READ);
        if (call->status != CUBLAS_SUCCESS)
            return call->status;
    }
    void *to = cublas_matrix(call, c, m, n, ldc, WRITE);
    if (!to)
        return call->status;
    const void *sums = factors;
    if (type == BLAS_S)
        geam_s(op, m, n, sums, (const float *const *)from, ld, to, ldc);
    else if (type == BLAS_D)
        geam_d(op, m, n, sums, (const double *const *)from, ld, to, ldc);
    else if (type == BLAS_C)
        geam_c(op, m, n, sums, (const float complex *const *)from, ld, to, ldc);
    else
        geam_z(op, m, n, sums, (const double complex *const *)from, ld, to, ldc);
    return CUBLAS_SUCCESS;
}

int blas_dgmm(struct cublas_call *call, int side, int64_t m, int64_t n, const void *a, int64_t lda, const void *x,
              int64_t incx, void *c, int64_t ldc)
{
    if (!cublas_is_flag(side) || m < 0 || n < 0 || lda < cublas_at_least_one(m) || ldc < cublas_at_least_one(m)
        || (a == c && lda != ldc))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    const void *from = cublas_matrix(call, a, m, n, lda, READ);
    const void *diagonal = from ? cublas_vector(call, x, side == SIDE_LEFT ? m : n, incx, READ) : NULL;
    void *to = diagonal ? cublas_matrix(call, c, m, n, ldc, WRITE) : NULL;
    if (!to)
        return call->status;
    if (call->type == BLAS_S)
        dgmm_s(side, m, n, from, lda, diagonal, incx, to, ldc);
    else if (call->type == BLAS_D)
        dgmm_d(side, m, n, from, lda, diagonal, incx, to, ldc);
    else if (call->type == BLAS_C)
        dgmm_c(side, m, n, from, lda, diagonal, incx, to, ldc);
    else
        dgmm_z(side, m, n, from, lda, diagonal, incx, to, ldc);
    return CUBLAS_SUCCESS;
}

/* Copies between a triangle and its packed form, column by column. */
static int pack(struct cublas_call *call, bool packing, int fill, int n, const void *from, const void *to, int ld)
{
    uint64_t size = blas_size(call->type);
    int64_t elements = (int64_t)n * (n + 1) / 2;
    if (!cublas_is_flag(fill) || n < 0 || ld < cublas_at_least_one(n))
        return CUBLAS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_SUCCESS;
    char *source = packing ? cublas_triangle(call, from, fill, false, n, ld, READ)
                           : cublas_vector(call, from, elements, 1, READ);
    char *target = !source   ? NULL
                   : packing ? cublas_vector(call, to, elements, 1, WRITE)
                             : cublas_triangle(call, to, fill, false, n, ld, WRITE);
    if (!target)
        return call->status;
    uint64_t packed = 0;
    for (int64_t column = 0; column < n; column++) {
        uint64_t count = (uint64_t)(fill == FILL_UPPER ? column + 1 : n - column);
        uint64_t whole = (uint64_t)(column * ld + (fill == FILL_UPPER ? 0 : column)) * size;
        memmove(target + (packing ? packed : whole), source + (packing ? whole : packed), count * size);
        packed += count * size;
    }
    return CUBLAS_SUCCESS;
}

int blas_tpttr(struct cublas_call *call, int fill, int n, const void *ap, void *a, int lda)
{
    return pack(call, false, fill, n, ap, a, lda);
}

int blas_trttp(struct cublas_call *call, int fill, int n, const void *a, int lda, void *ap)
{
    return pack(call, true, fill, n, a, ap, lda);
}
