/* Matrices. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };

int blas_gemm(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha, const void *a,
              int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    union cublas_number factor, old;
    uint64_t size = blas_size(call->type);
    if (!cublas_is_operation(opa) || !cublas_is_operation(opb) || m < 0 || n < 0 || k < 0
        || lda < cublas_at_least_one(opa == OP_N ? m : k) || ldb < cublas_at_least_one(opb == OP_N ? k : n)
        || ldc < cublas_at_least_one(m))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!cublas_scalar(call, alpha, size, &factor) || !cublas_scalar(call, beta, size, &old))
        return call->status;
    bool product = !cublas_is_zero(call->type, &factor) && k > 0;
    const void *ma = product ? cublas_matrix(call, a, opa == OP_N ? m : k, opa == OP_N ? k : m, lda, READ) : NULL;
    const void *mb = !product ? c : ma ? cublas_matrix(call, b, opb == OP_N ? k : n, opb == OP_N ? n : k, ldb, READ) : NULL;
    if ((product && !mb) || !cublas_fits(call, 6, m, n, k, lda, ldb, ldc))
        return call->status;
    void *mc = cublas_matrix(call, c, m, n, ldc, cublas_is_zero(call->type, &old) ? WRITE : UPDATE);
    if (mc && !product)
        return cublas_scale(call, m, n, &old, mc, ldc);
    blas_fn *gemm = mc ? cublas_routine(call, "gemm") : NULL;
    int rows = (int)m, columns = (int)n, inner = (int)k, ld_a = (int)lda, ld_b = (int)ldb, ld_c = (int)ldc;
    if (gemm)
        BLAS_CALL(gemm, cublas_letter_operation(opa), cublas_letter_operation(opb), &rows, &columns, &inner, &factor, ma,
                  &ld_a, mb, &ld_b, &old, mc, &ld_c);
    return call->status;
}

/* The same product with fewer multiplications, and another rounding, on a GPU. */
int blas_gemm3m(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return blas_gemm(call, opa, opb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* ---- Symmetric and Hermitian factors ---- */

static int symmetric(struct cublas_call *call, const char *name, int side, int fill, int64_t m, int64_t n, const void *alpha,
                     const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    union cublas_number factor, old;
    uint64_t size = blas_size(call->type);
    int64_t order = side == SIDE_LEFT ? m : n;
    if (!cublas_is_flag(side) || !cublas_is_flag(fill) || m < 0 || n < 0 || lda < cublas_at_least_one(order)
        || ldb < cublas_at_least_one(m) || ldc < cublas_at_least_one(m))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!cublas_scalar(call, alpha, size, &factor) || !cublas_scalar(call, beta, size, &old))
        return call->status;
    bool product = !cublas_is_zero(call->type, &factor);
    const void *ma = product ? cublas_triangle(call, a, fill, false, order, lda, READ) : NULL;
    const void *mb = ma ? cublas_matrix(call, b, m, n, ldb, READ) : NULL;
    if ((product && !mb) || !cublas_fits(call, 5, m, n, lda, ldb, ldc))
        return call->status;
    void *mc = cublas_matrix(call, c, m, n, ldc, cublas_is_zero(call->type, &old) ? WRITE : UPDATE);
    if (mc && !product)
        return cublas_scale(call, m, n, &old, mc, ldc);
    blas_fn *routine = mc ? cublas_routine(call, name) : NULL;
    int rows = (int)m, columns = (int)n, ld_a = (int)lda, ld_b = (int)ldb, ld_c = (int)ldc;
    if (routine)
        BLAS_CALL(routine, cublas_letter_side(side), cublas_letter_fill(fill), &rows, &columns, &factor, ma, &ld_a, mb,
                  &ld_b, &old, mc, &ld_c);
    return call->status;
}

int blas_symm(struct cublas_call *call, int side, int fill, int64_t m, int64_t n, const void *alpha, const void *a,
              int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return symmetric(call, "symm", side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

int blas_hemm(struct cublas_call *call, int side, int fill, int64_t m, int64_t n, const void *alpha, const void *a,
              int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return symmetric(call, "hemm", side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* ---- Updates of a triangle ---- */

/* Such an update, checked: C (n x n, one triangle) = alpha op(A) op(B)' + beta C. */
struct update {
    union cublas_number alpha, beta;
    const void *a, *b;
    void *c;
    bool product;
    int inner; /* k, or 0 when alpha is: A and B are not looked at then */
};

static const double nothing[2];

/* The operation that an update may ask for beside N: T for symmetric matrices (C too if they are real), C for Hermitian. */
static bool may_turn(const struct cublas_call *call, bool hermitian, int op)
{
    return op == OP_N || op == (hermitian ? OP_C : OP_T) || (op == OP_C && !blas_is_complex(call->type));
}

/* Checks sizes and operands. Returns 1 when there is something to compute, else 0 with the status in *status. */
static int begin_update(struct cublas_call *call, bool hermitian, bool real_alpha, int fill, int op, int64_t n, int64_t k,
                        const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c,
                        int64_t ldc, struct update *update)
{
    int64_t rows = op == OP_N ? n : k, columns = op == OP_N ? k : n;
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    memset(update, 0, sizeof *update);
    if (!cublas_is_flag(fill) || !may_turn(call, hermitian, op) || n < 0 || k < 0 || lda < cublas_at_least_one(rows)
        || (b && ldb < cublas_at_least_one(rows)) || ldc < cublas_at_least_one(n))
        call->status = CUBLAS_INVALID_VALUE;
    if (call->status != CUBLAS_SUCCESS || n == 0 || !cublas_fits(call, 5, n, k, lda, ldb, ldc)
        || !cublas_scalar(call, alpha, real_alpha ? real : size, &update->alpha)
        || !cublas_scalar(call, beta, hermitian ? real : size, &update->beta))
        return 0;
    update->product = !cublas_is_zero(call->type, &update->alpha) && k > 0;
    update->inner = update->product ? (int)k : 0;
    update->a = update->product ? cublas_matrix(call, a, rows, columns, lda, READ) : nothing;
    update->b = update->product && update->a && b ? cublas_matrix(call, b, rows, columns, ldb, READ) : nothing;
    if (call->status == CUBLAS_SUCCESS)
        update->c = cublas_triangle(call, c, fill, false, n, ldc,
                                    cublas_is_zero(call->type, &update->beta) ? WRITE : UPDATE);
    return call->status == CUBLAS_SUCCESS;
}

static int rank_k(struct cublas_call *call, const char *name, bool hermitian, int fill, int op, int64_t n, int64_t k,
                  const void *alpha, const void *a, int64_t lda, const void *beta, void *c, int64_t ldc)
{
    struct update update;
    if (!begin_update(call, hermitian, hermitian, fill, op, n, k, alpha, a, lda, NULL, 1, beta, c, ldc, &update))
        return call->status;
    blas_fn *routine = cublas_routine(call, name);
    int order = (int)n, ld_a = (int)lda, ld_c = (int)ldc;
    if (routine)
        BLAS_CALL(routine, cublas_letter_fill(fill), cublas_letter_operation(op), &order, &update.inner, &update.alpha,
                  update.a, &ld_a, &update.beta, update.c, &ld_c);
    return call->status;
}

int blas_syrk(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
              int64_t lda, const void *beta, void *c, int64_t ldc)
{
    return rank_k(call, "syrk", false, fill, op, n, k, alpha, a, lda, beta, c, ldc);
}

int blas_herk(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
              int64_t lda, const void *beta, void *c, int64_t ldc)
{
    return rank_k(call, "herk", true, fill, op, n, k, alpha, a, lda, beta, c, ldc);
}

static int rank_2k(struct cublas_call *call, const char *name, bool hermitian, int fill, int op, int64_t n, int64_t k,
                   const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c,
                   int64_t ldc)
{
    struct update update;
    if (!begin_update(call, hermitian, false, fill, op, n, k, alpha, a, lda, b ? b : c, ldb, beta, c, ldc, &update))
        return call->status;
    blas_fn *routine = cublas_routine(call, name);
    int order = (int)n, ld_a = (int)lda, ld_b = (int)ldb, ld_c = (int)ldc;
    if (routine)
        BLAS_CALL(routine, cublas_letter_fill(fill), cublas_letter_operation(op), &order, &update.inner, &update.alpha,
                  update.a, &ld_a, update.b, &ld_b, &update.beta, update.c, &ld_c);
    return call->status;
}

int blas_syr2k(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return rank_2k(call, "syr2k", false, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int blas_her2k(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return rank_2k(call, "her2k", true, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* Copies one triangle of an n x n matrix. */
static void copy_triangle(uint64_t size, int fill, int64_t n, char *to, int64_t ld_to, const char *from, int64_t ld_from)
{
    for (int64_t column = 0; column < n; column++) {
        int64_t first = fill == FILL_UPPER ? 0 : column, count = fill == FILL_UPPER ? column + 1 : n - column;
        memcpy(to + (uint64_t)(column * ld_to + first) * size, from + (uint64_t)(column * ld_from + first) * size,
               (size_t)count * size);
    }
}

/* A product of two matrices of which only a triangle is wanted: a whole one beside C, of which that is copied. */
static int rank_k_of_two(struct cublas_call *call, bool hermitian, int fill, int op, int64_t n, int64_t k, const void *alpha,
                         const void *a, int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    struct update update;
    uint64_t size = blas_size(call->type);
    if (!begin_update(call, hermitian, false, fill, op, n, k, alpha, a, lda, b ? b : c, ldb, beta, c, ldc, &update))
        return call->status;
    blas_fn *gemm = cublas_routine(call, "gemm");
    char *whole = gemm ? calloc((size_t)(n * n), size) : NULL;
    if (!whole)
        return gemm ? CUBLAS_ALLOC_FAILED : call->status;
    if (!cublas_is_zero(call->type, &update.beta))
        copy_triangle(size, fill, n, whole, n, update.c, ldc);
    int order = (int)n, ld_a = (int)lda, ld_b = (int)ldb;
    int other = hermitian ? OP_C : OP_T;
    BLAS_CALL(gemm, cublas_letter_operation(op), cublas_letter_operation(op == OP_N ? other : OP_N), &order, &order,
              &update.inner, &update.alpha, update.a, &ld_a, update.b, &ld_b, &update.beta, whole, &order);
    copy_triangle(size, fill, n, update.c, ldc, whole, n);
    free(whole);
    return CUBLAS_SUCCESS;
}

int blas_syrkx(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return rank_k_of_two(call, false, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int blas_herkx(struct cublas_call *call, int fill, int op, int64_t n, int64_t k, const void *alpha, const void *a,
               int64_t lda, const void *b, int64_t ldb, const void *beta, void *c, int64_t ldc)
{
    return rank_k_of_two(call, true, fill, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* ---- Triangular factors ---- */

/* B = alpha op(A) B, or the solution of op(A) X = alpha B, in place; from the right, X op(A). */
static int triangular(struct cublas_call *call, const char *name, int side, int fill, int op, int diagonal, int64_t m,
                      int64_t n, const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                      int64_t ldc)
{
    union cublas_number factor;
    uint64_t size = blas_size(call->type);
    int64_t order = side == SIDE_LEFT ? m : n;
    bool in_place = b == c && ldb == ldc;
    if (!cublas_is_flag(side) || !cublas_is_flag(fill) || !cublas_is_operation(op) || !cublas_is_flag(diagonal) || m < 0
        || n < 0 || lda < cublas_at_least_one(order) || ldb < cublas_at_least_one(m) || ldc < cublas_at_least_one(m))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!cublas_scalar(call, alpha, size, &factor) || !cublas_fits(call, 5, m, n, lda, ldb, ldc))
        return call->status;
    bool product = !cublas_is_zero(call->type, &factor);
    const void *ma = product ? cublas_triangle(call, a, fill, diagonal == 1, order, lda, READ) : NULL;
    const char *mb = product && ma && !in_place ? cublas_matrix(call, b, m, n, ldb, READ) : NULL;
    if (call->status != CUBLAS_SUCCESS)
        return call->status;
    char *mc = cublas_matrix(call, c, m, n, ldc, product && in_place ? UPDATE : WRITE);
    if (mc && !product)
        return cublas_scale(call, m, n, &factor, mc, ldc);
    blas_fn *routine = mc ? cublas_routine(call, name) : NULL;
    if (!routine)
        return call->status;
    for (int64_t column = 0; mb && column < n; column++)
        memmove(mc + (uint64_t)(column * ldc) * size, mb + (uint64_t)(column * ldb) * size, (size_t)m * size);
    int rows = (int)m, columns = (int)n, ld_a = (int)lda, ld_c = (int)ldc;
    BLAS_CALL(routine, cublas_letter_side(side), cublas_letter_fill(fill), cublas_letter_operation(op),
              cublas_letter_diagonal(diagonal), &rows, &columns, &factor, ma, &ld_a, mc, &ld_c);
    return CUBLAS_SUCCESS;
}

int blas_trmm(struct cublas_call *call, int side, int fill, int op, int diagonal, int64_t m, int64_t n, const void *alpha,
              const void *a, int64_t lda, const void *b, int64_t ldb, void *c, int64_t ldc)
{
    return triangular(call, "trmm", side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}

int blas_trsm(struct cublas_call *call, int side, int fill, int op, int diagonal, int64_t m, int64_t n, const void *alpha,
              const void *a, int64_t lda, void *b, int64_t ldb)
{
    return triangular(call, "trsm", side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, b, ldb);
}
