/* Functions whose operands name their types: half and bfloat16 numbers, and products of bytes. Shorter types are widened to
 * float, computed with, and rounded once. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/element.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };
enum { COMPUTE_16F = 64, COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32I = 72 }; /* cublasComputeType_t */
enum { C_8I = 7, FP8_FIRST = 28 };                                               /* cudaDataType */

/* ---- Products ---- */

/* The types of A and B, and of C, that a way to compute takes: what NVIDIA's library took on an H200. */
static const struct product_types {
    int compute, factor, result;
} product_types[] = {
    {COMPUTE_16F, R_16F, R_16F},  {COMPUTE_32F, R_16F, R_16F}, {COMPUTE_32F, R_16F, R_32F}, {COMPUTE_32F, R_16BF, R_16BF},
    {COMPUTE_32F, R_16BF, R_32F}, {COMPUTE_32F, R_32F, R_32F}, {COMPUTE_32F, C_32F, C_32F}, {COMPUTE_32F, R_8I, R_32F},
    {COMPUTE_64F, R_64F, R_64F},  {COMPUTE_64F, C_64F, C_64F}, {COMPUTE_32I, R_8I, R_32I},
};

/* What is computed, by groups: the pedantic way of each, those that may use shorter types on a GPU, and those that emulate.
 * Here all of a group compute alike, in the group's own type. -1: none. */
static int compute_group(int compute)
{
    switch (compute) {
    case 64:
    case 65: return COMPUTE_16F;
    case 68:
    case 69:
    case 74:
    case 75:
    case 77:
    case 78: return COMPUTE_32F;
    case 70:
    case 71:
    case 79: return COMPUTE_64F;
    case 72:
    case 73: return COMPUTE_32I;
    default: return -1;
    }
}

static bool is_algorithm(int algorithm)
{
    return (algorithm >= -1 && algorithm <= 23) || (algorithm >= 99 && algorithm <= 115);
}

static int check_types(const struct cublas_call *call, int group, int type_a, int type_b, int type_c)
{
    for (size_t i = 0; i < sizeof product_types / sizeof *product_types; i++) {
        const struct product_types *row = &product_types[i];
        if (row->compute == group && row->factor == type_a && row->factor == type_b && row->result == type_c)
            return CUBLAS_SUCCESS;
    }
    /* What a GPU would have computed is refused by name. */
    if (type_a >= FP8_FIRST || type_b >= FP8_FIRST || type_c >= FP8_FIRST || (type_a == C_8I && type_b == C_8I)) {
        char what[128];
        snprintf(what, sizeof what, "operands of the cudaDataType %d, %d and %d in %s", type_a, type_b, type_c,
                 call->caller.call);
        refuse("cuBLAS", what);
    }
    return CUBLAS_NOT_SUPPORTED;
}

/* A matrix to compute with: the operand itself, or a copy in the type to compute with. */
struct work {
    void *at;
    int64_t ld;
    void *copy; /* to be freed; NULL: at is the operand */
};

static bool widen(struct cublas_call *call, int type, const void *host, int64_t rows, int64_t columns, int64_t ld,
                  struct work *work)
{
    if (element_size(type) == blas_size(call->type)) {
        *work = (struct work){(void *)(uintptr_t)host, ld, NULL};
        return true;
    }
    float *copy = malloc((size_t)cublas_at_least_one(rows * columns) * sizeof *copy);
    *work = (struct work){copy, cublas_at_least_one(rows), copy};
    for (int64_t column = 0; copy && host && column < columns; column++)
        element_widen(type, (const char *)host + (uint64_t)(column * ld) * element_size(type), 1, copy + column * rows, 1,
                      rows);
    if (!copy)
        call->status = CUBLAS_ALLOC_FAILED;
    return copy != NULL;
}

/* The sum of products of bytes, which wraps as 32-bit integers do. */
static void multiply_bytes(const int op[2], int64_t m, int64_t n, int64_t k, int32_t alpha, const int8_t *a, int64_t lda,
                           const int8_t *b, int64_t ldb, int32_t beta, int32_t *c, int64_t ldc)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            uint32_t sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum +=
                    (uint32_t)(a[op[0] == OP_N ? i + l * lda : l + i * lda] * b[op[1] == OP_N ? l + j * ldb : j + l * ldb]);
            int32_t *place = &c[i + j * ldc];
            uint32_t old = beta == 0 ? 0 : (uint32_t)beta * (uint32_t)*place;
            *place = (int32_t)((uint32_t)alpha * sum + old);
        }
}

/* A product, its operands found. */
struct product {
    int op[2], type_a, type_b, type_c, group;
    int64_t m, n, k, lda, ldb, ldc;
    union cublas_number alpha, beta;
    const void *a, *b;
    void *c;
    bool reads_c;
};

static int multiply(struct cublas_call *call, const struct product *p)
{
    if (p->group == COMPUTE_32I) {
        multiply_bytes(p->op, p->m, p->n, p->a ? p->k : 0, p->alpha.i, p->a, p->lda, p->b, p->ldb, p->beta.i, p->c, p->ldc);
        return CUBLAS_SUCCESS;
    }
    struct work a = {0}, b = {0}, c = {0};
    blas_fn *gemm = cublas_routine(call, "gemm");
    bool na = p->op[0] == OP_N, nb = p->op[1] == OP_N;
    if (gemm && widen(call, p->type_a, p->a, na ? p->m : p->k, na ? p->k : p->m, p->lda, &a)
        && widen(call, p->type_b, p->b, nb ? p->k : p->n, nb ? p->n : p->k, p->ldb, &b)
        && widen(call, p->type_c,
                 p->reads_c                                         ? p->c
                 : element_size(p->type_c) == blas_size(call->type) ? p->c
                                                                    : NULL,
                 p->m, p->n, p->ldc, &c)) {
        int m = (int)p->m, n = (int)p->n, k = (int)p->k, lda = (int)a.ld, ldb = (int)b.ld, ldc = (int)c.ld;
        BLAS_CALL(gemm, cublas_letter_operation(p->op[0]), cublas_letter_operation(p->op[1]), &m, &n, &k, &p->alpha, a.at,
                  &lda, b.at, &ldb, &p->beta, c.at, &ldc);
        for (int64_t column = 0; c.copy && column < p->n; column++)
            element_narrow(p->type_c, (float *)c.at + column * p->m, 1,
                           (char *)p->c + (uint64_t)(column * p->ldc) * element_size(p->type_c), 1, p->m);
    }
    free(a.copy);
    free(b.copy);
    free(c.copy);
    return call->status;
}

/* A scalar of the type that goes with the way to compute: half, float, double or int, complex for complex results. */
static bool factor(struct cublas_call *call, int group, const void *pointer, union cublas_number *number)
{
    memset(number, 0, sizeof *number);
    if (group != COMPUTE_16F)
        return cublas_scalar(call, pointer, group == COMPUTE_32I ? sizeof number->i : blas_size(call->type), number);
    if (!cublas_scalar(call, pointer, sizeof number->h, number))
        return false;
    uint16_t half = number->h;
    element_widen(R_16F, &half, 1, number->s, 1, 1);
    return true;
}

static bool is_zero(const struct cublas_call *call, int group, const union cublas_number *number)
{
    return group == COMPUTE_32I ? number->i == 0 : cublas_is_zero(call->type, number);
}

/* A product of which all but the operands was checked. */
static int product(struct cublas_call *call, struct product *p, const void *alpha, const void *a, const void *b,
                   const void *beta, void *c)
{
    bool na = p->op[0] == OP_N, nb = p->op[1] == OP_N;
    if (!factor(call, p->group, alpha, &p->alpha) || !factor(call, p->group, beta, &p->beta)
        || !cublas_fits(call, 6, p->m, p->n, p->k, p->lda, p->ldb, p->ldc))
        return call->status;
    bool reads = p->k > 0 && !is_zero(call, p->group, &p->alpha);
    p->reads_c = !is_zero(call, p->group, &p->beta);
    if (reads && p->group == COMPUTE_32I && (p->lda % 4 != 0 || p->ldb % 4 != 0))
        return CUBLAS_NOT_SUPPORTED; /* NVIDIA's condition */
    p->a = !reads
               ? NULL
               : array_matrix(&call->caller, a, na ? p->m : p->k, na ? p->k : p->m, p->lda, element_size(p->type_a), READ);
    p->b = !p->a ? NULL
                 : array_matrix(&call->caller, b, nb ? p->k : p->n, nb ? p->n : p->k, p->ldb, element_size(p->type_b), READ);
    if (reads && !p->b)
        return !a || !b ? CUBLAS_INVALID_VALUE : CUBLAS_EXECUTION_FAILED;
    if (!reads)
        p->k = 0;
    p->c = array_matrix(&call->caller, c, p->m, p->n, p->ldc, element_size(p->type_c), p->reads_c ? UPDATE : WRITE);
    if (!p->c)
        return !c ? CUBLAS_INVALID_VALUE : CUBLAS_EXECUTION_FAILED;
    return multiply(call, p);
}

/* Fills in and checks what has nothing to do with operands; the call computes with `work`. */
static int describe(struct cublas_call *call, struct product *p, int opa, int opb, int64_t m, int64_t n, int64_t k,
                    int type_a, int64_t lda, int type_b, int64_t ldb, int type_c, int64_t ldc, int compute, int algorithm)
{
    *p = (struct product){.op = {opa, opb},
                          .type_a = type_a,
                          .type_b = type_b,
                          .type_c = type_c,
                          .m = m,
                          .n = n,
                          .k = k,
                          .lda = lda,
                          .ldb = ldb,
                          .ldc = ldc,
                          .group = compute_group(compute)};
    if (!cublas_is_operation(opa) || !cublas_is_operation(opb) || m < 0 || n < 0 || k < 0
        || lda < cublas_at_least_one(opa == OP_N ? m : k) || ldb < cublas_at_least_one(opb == OP_N ? k : n)
        || ldc < cublas_at_least_one(m) || !is_algorithm(algorithm))
        return CUBLAS_INVALID_VALUE;
    call->type = element_work_type(type_c);
    return check_types(call, p->group, type_a, type_b, type_c);
}

int blas_GemmEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                const void *a, int type_a, int64_t lda, const void *b, int type_b, int64_t ldb, const void *beta, void *c,
                int type_c, int64_t ldc, int compute, int algorithm)
{
    struct product p;
    int status = describe(call, &p, opa, opb, m, n, k, type_a, lda, type_b, ldb, type_c, ldc, compute, algorithm);
    if (status != CUBLAS_SUCCESS || m == 0 || n == 0)
        return status;
    return product(call, &p, alpha, a, b, beta, c);
}

int blas_GemmBatchedEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                       const void *const *a, int type_a, int64_t lda, const void *const *b, int type_b, int64_t ldb,
                       const void *beta, void *const *c, int type_c, int64_t ldc, int64_t batch, int compute, int algorithm)
{
    struct product p;
    int status = describe(call, &p, opa, opb, m, n, k, type_a, lda, type_b, ldb, type_c, ldc, compute, algorithm);
    if (batch < 0)
        return CUBLAS_INVALID_VALUE;
    if (status != CUBLAS_SUCCESS || m == 0 || n == 0 || batch == 0)
        return status;
    void *const *list_a = cublas_list(call, a, batch, sizeof *a, READ);
    void *const *list_b = list_a ? cublas_list(call, b, batch, sizeof *b, READ) : NULL;
    void *const *list_c = list_b ? cublas_list(call, c, batch, sizeof *c, READ) : NULL;
    if (!list_c)
        return call->status;
    status = CUBLAS_SUCCESS;
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++) {
        p.k = k;
        status = product(call, &p, alpha, list_a[i], list_b[i], beta, list_c[i]);
    }
    return status;
}

int blas_GemmStridedBatchedEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                              const void *a, int type_a, int64_t lda, int64_t stride_a, const void *b, int type_b,
                              int64_t ldb, int64_t stride_b, const void *beta, void *c, int type_c, int64_t ldc,
                              int64_t stride_c, int64_t batch, int compute, int algorithm)
{
    struct product p;
    int status = describe(call, &p, opa, opb, m, n, k, type_a, lda, type_b, ldb, type_c, ldc, compute, algorithm);
    if (batch < 0)
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return status;
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++) {
        p.k = k;
        status = product(call, &p, alpha, (const char *)a + i * stride_a * (int64_t)element_size(type_a),
                         (const char *)b + i * stride_b * (int64_t)element_size(type_b), beta,
                         (char *)c + i * stride_c * (int64_t)element_size(type_c));
    }
    return status;
}

int blas_SgemmEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                 const void *a, int type_a, int64_t lda, const void *b, int type_b, int64_t ldb, const void *beta, void *c,
                 int type_c, int64_t ldc)
{
    return blas_GemmEx(call, opa, opb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc, COMPUTE_32F,
                       -1);
}

int blas_CgemmEx(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                 const void *a, int type_a, int64_t lda, const void *b, int type_b, int64_t ldb, const void *beta, void *c,
                 int type_c, int64_t ldc)
{
    return blas_SgemmEx(call, opa, opb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc);
}

int blas_Hgemm(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return blas_GemmEx(call, opa, opb, m, n, k, alpha, a, R_16F, lda, b, R_16F, ldb, beta, c, R_16F, ldc, COMPUTE_16F, -1);
}

int blas_HgemmBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                      const void *const *a, int64_t lda, const void *const *b, int64_t ldb, const void *beta, void *const *c,
                      int64_t ldc, int64_t batch)
{
    return blas_GemmBatchedEx(call, opa, opb, m, n, k, alpha, a, R_16F, lda, b, R_16F, ldb, beta, c, R_16F, ldc, batch,
                              COMPUTE_16F, -1);
}

int blas_HgemmStridedBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                             const void *a, int64_t lda, int64_t stride_a, const void *b, int64_t ldb, int64_t stride_b,
                             const void *beta, void *c, int64_t ldc, int64_t stride_c, int64_t batch)
{
    return blas_GemmStridedBatchedEx(call, opa, opb, m, n, k, alpha, a, R_16F, lda, stride_a, b, R_16F, ldb, stride_b, beta,
                                     c, R_16F, ldc, stride_c, batch, COMPUTE_16F, -1);
}

/* ---- Vectors ---- */

/* The type in which numbers of a type are computed with, as a cudaDataType; -1: not offered. */
static int execution_of(int type)
{
    return type == R_16F || type == R_16BF                                    ? R_32F
           : type == R_32F || type == R_64F || type == C_32F || type == C_64F ? type
                                                                              : -1;
}

static int real_of(int type)
{
    return type == C_32F ? R_32F : type == C_64F ? R_64F : type;
}

/* A handle's call for a routine on widened copies: scalars and results lie on the host. */
static struct cublas_call on_host(const struct cublas_call *call, int type)
{
    struct cublas_call inner = *call;
    inner.type = element_work_type(type);
    return inner;
}

/* A vector of the program, and the place of its first element in order. */
struct vector {
    char *host;
    int64_t step;
};

static bool find_vector(struct cublas_call *call, const void *x, int type, int64_t n, int64_t increment, int access,
                        struct vector *vector)
{
    uint64_t size = element_size(type);
    char *host = array_vector(&call->caller, x, n, increment, size, access);
    if (!host) {
        call->status = CUBLAS_EXECUTION_FAILED;
        return false;
    }
    vector->host = increment < 0 && n > 0 ? host + (uint64_t)((1 - n) * increment) * size : host;
    vector->step = increment;
    return true;
}

/* A copy in the type to compute with, without gaps. The caller frees it; NULL after setting the status. */
static void *widened(struct cublas_call *call, const struct vector *vector, int type, int64_t n)
{
    void *copy = malloc((size_t)cublas_at_least_one(n) * blas_size(element_work_type(type)));
    if (copy)
        element_widen(type, vector->host, vector->step, copy, 1, n);
    else
        call->status = CUBLAS_ALLOC_FAILED;
    return copy;
}

typedef float float_fn(const int *n, const void *x, const int *incx);
typedef double double_fn(const int *n, const void *x, const int *incx);

static int sum(struct cublas_call *call, const char *const routines[4], int64_t n, const void *x, int type_x, int64_t incx,
               void *result, int type_result, int execution)
{
    static const int one = 1;
    union cublas_number number = {{0}};
    int real = real_of(type_x), count = (int)n;
    struct vector vector;
    if (execution_of(type_x) < 0 || type_result != real || execution != execution_of(real))
        return CUBLAS_NOT_SUPPORTED;
    void *place = cublas_result(call, result, element_size(real), WRITE);
    if (!place || !cublas_fits(call, 1, n))
        return call->status;
    if (n > 0 && incx > 0) {
        blas_fn *routine = blas_named(routines[element_work_type(type_x)]);
        if (!routine || !find_vector(call, x, type_x, n, incx, READ, &vector))
            return routine ? call->status : CUBLAS_NOT_SUPPORTED;
        void *copy = widened(call, &vector, type_x, n);
        if (copy && execution == R_32F)
            number.s[0] = ((float_fn *)routine)(&count, copy, &one);
        else if (copy)
            number.d[0] = ((double_fn *)routine)(&count, copy, &one);
        free(copy);
    }
    element_narrow(real, &number, 1, place, 1, 1);
    return call->status;
}

int blas_Nrm2Ex(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result, int type_result,
                int execution)
{
    static const char *const routines[] = {"snrm2", "dnrm2", "scnrm2", "dznrm2"};
    return sum(call, routines, n, x, type_x, incx, result, type_result, execution);
}

int blas_AsumEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result, int type_result,
                int execution)
{
    static const char *const routines[] = {"sasum", "dasum", "scasum", "dzasum"};
    return sum(call, routines, n, x, type_x, incx, result, type_result, execution);
}

/* Sums in double, or in float for real floats and shorter, would differ by order only: one loop over what was widened. */
static void dot_loop(enum blas_type type, bool conjugate, int64_t n, const void *x, const void *y,
                     union cublas_number *number)
{
    const float *xs = x, *ys = y;
    const double *xd = x, *yd = y;
    double sign = conjugate ? -1 : 1, re = 0, im = 0;
    for (int64_t i = 0; i < n; i++) {
        bool single = blas_real_size(type) == 4;
        int64_t at = blas_is_complex(type) ? 2 * i : i;
        double a = single ? (double)xs[at] : xd[at], b = single ? (double)ys[at] : yd[at];
        double ai = !blas_is_complex(type) ? 0 : sign * (single ? (double)xs[at + 1] : xd[at + 1]);
        double bi = !blas_is_complex(type) ? 0 : single ? (double)ys[at + 1] : yd[at + 1];
        re += a * b - ai * bi;
        im += a * bi + ai * b;
    }
    if (blas_real_size(type) == 4)
        number->s[0] = (float)re, number->s[1] = (float)im;
    else
        number->d[0] = re, number->d[1] = im;
}

static int dot(struct cublas_call *call, bool conjugate, int64_t n, const void *x, int type_x, int64_t incx, const void *y,
               int type_y, int64_t incy, void *result, int type_result, int execution)
{
    union cublas_number number = {{0}};
    struct vector vx, vy;
    if (execution_of(type_x) < 0 || type_y != type_x || type_result != type_x || execution != execution_of(type_x))
        return CUBLAS_NOT_SUPPORTED;
    void *place = cublas_result(call, result, element_size(type_x), WRITE);
    if (!place || !find_vector(call, x, type_x, n, incx, READ, &vx) || !find_vector(call, y, type_y, n, incy, READ, &vy))
        return call->status;
    void *a = widened(call, &vx, type_x, n), *b = widened(call, &vy, type_y, n);
    if (a && b) {
        dot_loop(element_work_type(type_x), conjugate, n, a, b, &number);
        element_narrow(type_x, &number, 1, place, 1, 1);
    }
    free(a);
    free(b);
    return call->status;
}

int blas_DotEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, const void *y, int type_y,
               int64_t incy, void *result, int type_result, int execution)
{
    return dot(call, false, n, x, type_x, incx, y, type_y, incy, result, type_result, execution);
}

int blas_DotcEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, const void *y, int type_y,
                int64_t incy, void *result, int type_result, int execution)
{
    return dot(call, true, n, x, type_x, incx, y, type_y, incy, result, type_result, execution);
}

int blas_AxpyEx(struct cublas_call *call, int64_t n, const void *alpha, int type_alpha, const void *x, int type_x,
                int64_t incx, void *y, int type_y, int64_t incy, int execution)
{
    static const int one = 1;
    union cublas_number number;
    struct vector vx, vy;
    int count = (int)n;
    if (execution_of(type_x) < 0 || type_y != type_x || execution != execution_of(type_x) || type_alpha != execution)
        return CUBLAS_NOT_SUPPORTED;
    struct cublas_call inner = on_host(call, type_x);
    blas_fn *axpy = cublas_fits(call, 1, n) ? cublas_routine(&inner, "axpy") : NULL;
    if (!axpy)
        return CUBLAS_NOT_SUPPORTED;
    if (!cublas_scalar(call, alpha, element_size(type_alpha), &number))
        return call->status;
    if (n <= 0 || cublas_is_zero(inner.type, &number))
        return CUBLAS_SUCCESS;
    if (!find_vector(call, x, type_x, n, incx, READ, &vx) || !find_vector(call, y, type_y, n, incy, UPDATE, &vy))
        return call->status;
    void *a = widened(call, &vx, type_x, n), *b = widened(call, &vy, type_y, n);
    if (a && b) {
        BLAS_CALL(axpy, &count, &number, a, &one, b, &one);
        element_narrow(type_y, b, 1, vy.host, vy.step, n);
    }
    free(a);
    free(b);
    return call->status;
}

int blas_ScalEx(struct cublas_call *call, int64_t n, const void *alpha, int type_alpha, void *x, int type_x, int64_t incx,
                int execution)
{
    static const int one = 1;
    union cublas_number number;
    struct vector vector;
    int count = (int)n;
    if (execution_of(type_x) < 0 || execution != execution_of(type_x) || type_alpha != execution)
        return CUBLAS_NOT_SUPPORTED;
    struct cublas_call inner = on_host(call, type_x);
    blas_fn *scal = cublas_fits(call, 1, n) ? cublas_routine(&inner, "scal") : NULL;
    if (!scal)
        return CUBLAS_NOT_SUPPORTED;
    if (!cublas_scalar(call, alpha, element_size(type_alpha), &number))
        return call->status;
    if (n <= 0 || incx <= 0)
        return CUBLAS_SUCCESS;
    if (!find_vector(call, x, type_x, n, incx, UPDATE, &vector))
        return call->status;
    void *copy = widened(call, &vector, type_x, n);
    if (copy) {
        BLAS_CALL(scal, &count, &number, copy, &one);
        element_narrow(type_x, copy, 1, vector.host, vector.step, n);
    }
    free(copy);
    return call->status;
}

static int move(struct cublas_call *call, bool exchange, int64_t n, const void *x, int type_x, int64_t incx, void *y,
                int type_y, int64_t incy)
{
    struct vector vx, vy;
    uint64_t size = element_size(type_x);
    if (size == 0 || type_x != type_y)
        return CUBLAS_NOT_SUPPORTED;
    if (n <= 0)
        return CUBLAS_SUCCESS;
    if (!find_vector(call, x, type_x, n, incx, exchange ? UPDATE : READ, &vx)
        || !find_vector(call, y, type_y, n, incy, exchange ? UPDATE : WRITE, &vy))
        return call->status;
    for (int64_t i = 0; i < n; i++) {
        char *from = vx.host + i * vx.step * (int64_t)size, *to = vy.host + i * vy.step * (int64_t)size, kept[16];
        memcpy(kept, to, size);
        memmove(to, from, size);
        if (exchange)
            memcpy(from, kept, size);
    }
    return CUBLAS_SUCCESS;
}

int blas_CopyEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *y, int type_y,
                int64_t incy)
{
    return move(call, false, n, x, type_x, incx, y, type_y, incy);
}

int blas_SwapEx(struct cublas_call *call, int64_t n, void *x, int type_x, int64_t incx, void *y, int type_y, int64_t incy)
{
    return move(call, true, n, x, type_x, incx, y, type_y, incy);
}

static int extreme(struct cublas_call *call, bool largest, int64_t n, const void *x, int type_x, int64_t incx, void *result,
                   size_t result_size)
{
    struct vector vector;
    int64_t found = n > 0 && incx > 0 ? 1 : 0;
    if (execution_of(type_x) < 0)
        return CUBLAS_NOT_SUPPORTED;
    void *place = cublas_result(call, result, result_size, WRITE);
    if (!place || !find_vector(call, x, type_x, found ? n : 0, incx, READ, &vector))
        return call->status;
    double best = 0;
    for (int64_t i = 0; i < n && found; i++) {
        union cublas_number number = {{0}};
        element_widen(type_x, vector.host + i * vector.step * (int64_t)element_size(type_x), 1, &number, 1, 1);
        double value = blas_real_size(element_work_type(type_x)) == 4 ? fabsf(number.s[0]) : fabs(number.d[0]);
        if (type_x == C_32F)
            value = fabsf(number.s[0]) + fabsf(number.s[1]);
        else if (type_x == C_64F)
            value += fabs(number.d[1]);
        if (i == 0 || (largest ? value > best : value < best)) {
            best = value;
            found = i + 1;
        }
    }
    if (result_size == sizeof(int64_t))
        *(int64_t *)place = found;
    else
        *(int32_t *)place = (int32_t)found;
    return CUBLAS_SUCCESS;
}

int blas_IamaxEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result,
                 size_t result_size)
{
    return extreme(call, true, n, x, type_x, incx, result, result_size);
}

int blas_IaminEx(struct cublas_call *call, int64_t n, const void *x, int type_x, int64_t incx, void *result,
                 size_t result_size)
{
    return extreme(call, false, n, x, type_x, incx, result, result_size);
}
