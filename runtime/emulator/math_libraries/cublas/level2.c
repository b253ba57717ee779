/* Matrices and vectors. */
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };

/* alpha and beta of y = alpha A x + beta y, and how y is looked at. */
struct scaled {
    union cublas_number alpha, beta;
    int access;
    bool product; /* alpha is not 0: A and x are read */
};

static bool scalars(struct cublas_call *call, const void *alpha, const void *beta, struct scaled *scaled)
{
    uint64_t size = blas_size(call->type);
    if (!cublas_scalar(call, alpha, size, &scaled->alpha) || !cublas_scalar(call, beta, size, &scaled->beta))
        return false;
    scaled->access = cublas_is_zero(call->type, &scaled->beta) ? WRITE : UPDATE;
    scaled->product = !cublas_is_zero(call->type, &scaled->alpha);
    return true;
}

/* x and y of such a product. Returns whether one is left to compute: not for an alpha of 0, when y is done. */
static bool vectors(struct cublas_call *call, const struct scaled *scaled, int64_t count_x, const void *x, int64_t incx,
                    int64_t count_y, void *y, int64_t incy, void **host_x, void **host_y)
{
    *host_x = scaled->product ? cublas_vector(call, x, count_x, incx, READ) : NULL;
    *host_y = *host_x || !scaled->product ? cublas_vector(call, y, count_y, incy, scaled->access) : NULL;
    if (*host_y && !scaled->product)
        cublas_scale(call, 1, count_y, &scaled->beta, *host_y, incy < 0 ? -incy : incy);
    return *host_y && scaled->product;
}

int blas_gemv(struct cublas_call *call, int op, int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda,
              const void *x, int64_t incx, const void *beta, void *y, int64_t incy)
{
    struct scaled scaled;
    void *vx, *vy;
    if (!cublas_is_operation(op) || m < 0 || n < 0 || lda < m || incx == 0 || incy == 0)
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!scalars(call, alpha, beta, &scaled))
        return call->status;
    const void *matrix = scaled.product ? cublas_matrix(call, a, m, n, lda, READ) : NULL;
    if ((!matrix && scaled.product)
        || !vectors(call, &scaled, op == OP_N ? n : m, x, incx, op == OP_N ? m : n, y, incy, &vx, &vy))
        return call->status;
    blas_fn *gemv = cublas_fits(call, 5, m, n, lda, incx, incy) ? cublas_routine(call, "gemv") : NULL;
    int rows = (int)m, columns = (int)n, ld = (int)lda, step_x = (int)incx, step_y = (int)incy;
    if (gemv)
        BLAS_CALL(gemv, cublas_letter_operation(op), &rows, &columns, &scaled.alpha, matrix, &ld, vx, &step_x, &scaled.beta,
                  vy, &step_y);
    return call->status;
}

int blas_gbmv(struct cublas_call *call, int op, int64_t m, int64_t n, int64_t kl, int64_t ku, const void *alpha,
              const void *a, int64_t lda, const void *x, int64_t incx, const void *beta, void *y, int64_t incy)
{
    struct scaled scaled;
    void *vx, *vy;
    if (!cublas_is_operation(op) || m < 0 || n < 0 || kl < 0 || ku < 0 || lda < kl + ku + 1 || incx == 0 || incy == 0)
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!scalars(call, alpha, beta, &scaled))
        return call->status;
    const void *matrix = scaled.product ? array_band(&call->caller, a, m, n, kl, ku, lda, blas_size(call->type), READ)
                                        : NULL;
    if (!matrix && scaled.product)
        return CUBLAS_EXECUTION_FAILED;
    if (!vectors(call, &scaled, op == OP_N ? n : m, x, incx, op == OP_N ? m : n, y, incy, &vx, &vy))
        return call->status;
    blas_fn *gbmv = cublas_fits(call, 7, m, n, kl, ku, lda, incx, incy) ? cublas_routine(call, "gbmv") : NULL;
    int rows = (int)m, columns = (int)n, below = (int)kl, above = (int)ku, ld = (int)lda;
    int step_x = (int)incx, step_y = (int)incy;
    if (gbmv)
        BLAS_CALL(gbmv, cublas_letter_operation(op), &rows, &columns, &below, &above, &scaled.alpha, matrix, &ld, vx,
                  &step_x, &scaled.beta, vy, &step_y);
    return call->status;
}

/* ---- Rank one, general ---- */

static int rank_one(struct cublas_call *call, const char *name, int64_t m, int64_t n, const void *alpha, const void *x,
                    int64_t incx, const void *y, int64_t incy, void *a, int64_t lda)
{
    union cublas_number factor;
    if (m < 0 || n < 0 || incx == 0 || incy == 0 || lda < cublas_at_least_one(m))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!cublas_scalar(call, alpha, blas_size(call->type), &factor) || cublas_is_zero(call->type, &factor))
        return call->status;
    const void *vx = cublas_vector(call, x, m, incx, READ), *vy = vx ? cublas_vector(call, y, n, incy, READ) : NULL;
    void *matrix = vy ? cublas_matrix(call, a, m, n, lda, UPDATE) : NULL;
    blas_fn *routine = matrix && cublas_fits(call, 5, m, n, lda, incx, incy) ? cublas_routine(call, name) : NULL;
    int rows = (int)m, columns = (int)n, ld = (int)lda, step_x = (int)incx, step_y = (int)incy;
    if (routine)
        BLAS_CALL(routine, &rows, &columns, &factor, vx, &step_x, vy, &step_y, matrix, &ld);
    return call->status;
}

int blas_ger(struct cublas_call *call, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
             int64_t incy, void *a, int64_t lda)
{
    return rank_one(call, "ger", m, n, alpha, x, incx, y, incy, a, lda);
}

int blas_geru(struct cublas_call *call, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda)
{
    return rank_one(call, "geru", m, n, alpha, x, incx, y, incy, a, lda);
}

int blas_gerc(struct cublas_call *call, int64_t m, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda)
{
    return rank_one(call, "gerc", m, n, alpha, x, incx, y, incy, a, lda);
}

/* ---- Symmetric and Hermitian products ---- */

/* How a symmetric or triangular matrix is stored. */
enum storage { FULL, BAND, PACKED };

/* The same without the main diagonal, column by column, for bands and packed triangles. */
static void *without_diagonal(struct cublas_call *call, enum storage storage, int fill, int64_t n, int64_t k, const char *a,
                              int64_t lda, int access)
{
    uint64_t size = blas_size(call->type);
    char *host = (char *)(uintptr_t)a; /* never used when no column has an element */
    int64_t packed = 0;
    bool found = false;
    for (int64_t column = 0; column < n; column++) {
        int64_t beside = fill == FILL_UPPER ? column : n - 1 - column;
        int64_t count = storage == BAND && beside > k ? k : beside;
        int64_t first = storage == PACKED ? packed + (fill == FILL_LOWER)
                                          : column * lda + (fill == FILL_LOWER ? 1 : k - count);
        packed += beside + 1;
        if (count == 0)
            continue;
        char *part = array_vector(&call->caller, a + (uint64_t)first * size, count, 1, size, access);
        if (!part)
            return NULL;
        host = found ? host : part - (uint64_t)first * size;
        found = true;
    }
    return host;
}

/* The elements of such a matrix that BLAS refers to. `k` are the diagonals beside the main one of a band. */
static void *stored(struct cublas_call *call, enum storage storage, int fill, bool unit, int64_t n, int64_t k, const void *a,
                    int64_t lda, int access)
{
    if (storage == FULL)
        return cublas_triangle(call, a, fill, unit, n, lda, access);
    void *host = unit                ? without_diagonal(call, storage, fill, n, k, a, lda, access)
                 : storage == PACKED ? cublas_vector(call, a, n * (n + 1) / 2, 1, access)
                                     : array_band(&call->caller, a, n, n, fill == FILL_LOWER ? k : 0,
                                                  fill == FILL_UPPER ? k : 0, lda, blas_size(call->type), access);
    if (!host)
        call->status = CUBLAS_EXECUTION_FAILED;
    return host;
}

static int symmetric_product(struct cublas_call *call, const char *name, enum storage storage, int fill, int64_t n,
                             int64_t k, const void *alpha, const void *a, int64_t lda, const void *x, int64_t incx,
                             const void *beta, void *y, int64_t incy)
{
    struct scaled scaled;
    void *vx, *vy;
    int64_t least = storage == FULL ? cublas_at_least_one(n) : storage == BAND ? k + 1 : 0;
    if (!cublas_is_flag(fill) || n < 0 || k < 0 || lda < least || incx == 0 || incy == 0)
        return CUBLAS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_SUCCESS;
    if (!scalars(call, alpha, beta, &scaled))
        return call->status;
    const void *matrix = scaled.product ? stored(call, storage, fill, false, n, k, a, lda, READ) : NULL;
    if ((!matrix && scaled.product) || !vectors(call, &scaled, n, x, incx, n, y, incy, &vx, &vy))
        return call->status;
    blas_fn *routine = cublas_fits(call, 5, n, k, lda, incx, incy) ? cublas_routine(call, name) : NULL;
    int order = (int)n, diagonals = (int)k, ld = (int)lda, step_x = (int)incx, step_y = (int)incy;
    const char *triangle = cublas_letter_fill(fill);
    if (routine && storage == FULL)
        BLAS_CALL(routine, triangle, &order, &scaled.alpha, matrix, &ld, vx, &step_x, &scaled.beta, vy, &step_y);
    else if (routine && storage == BAND)
        BLAS_CALL(routine, triangle, &order, &diagonals, &scaled.alpha, matrix, &ld, vx, &step_x, &scaled.beta, vy, &step_y);
    else if (routine)
        BLAS_CALL(routine, triangle, &order, &scaled.alpha, matrix, vx, &step_x, &scaled.beta, vy, &step_y);
    return call->status;
}

int blas_symv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *a, int64_t lda, const void *x,
              int64_t incx, const void *beta, void *y, int64_t incy)
{
    return symmetric_product(call, "symv", FULL, fill, n, 0, alpha, a, lda, x, incx, beta, y, incy);
}

int blas_hemv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *a, int64_t lda, const void *x,
              int64_t incx, const void *beta, void *y, int64_t incy)
{
    return symmetric_product(call, "hemv", FULL, fill, n, 0, alpha, a, lda, x, incx, beta, y, incy);
}

int blas_sbmv(struct cublas_call *call, int fill, int64_t n, int64_t k, const void *alpha, const void *a, int64_t lda,
              const void *x, int64_t incx, const void *beta, void *y, int64_t incy)
{
    return symmetric_product(call, "sbmv", BAND, fill, n, k, alpha, a, lda, x, incx, beta, y, incy);
}

int blas_hbmv(struct cublas_call *call, int fill, int64_t n, int64_t k, const void *alpha, const void *a, int64_t lda,
              const void *x, int64_t incx, const void *beta, void *y, int64_t incy)
{
    return symmetric_product(call, "hbmv", BAND, fill, n, k, alpha, a, lda, x, incx, beta, y, incy);
}

int blas_spmv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *ap, const void *x, int64_t incx,
              const void *beta, void *y, int64_t incy)
{
    return symmetric_product(call, "spmv", PACKED, fill, n, 0, alpha, ap, 0, x, incx, beta, y, incy);
}

int blas_hpmv(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *ap, const void *x, int64_t incx,
              const void *beta, void *y, int64_t incy)
{
    return symmetric_product(call, "hpmv", PACKED, fill, n, 0, alpha, ap, 0, x, incx, beta, y, incy);
}

/* ---- Updates of rank one and two of a triangle. Without y: rank one. ---- */

static int symmetric_update(struct cublas_call *call, const char *name, enum storage storage, uint64_t scalar_size, int fill,
                            int64_t n, const void *alpha, const void *x, int64_t incx, bool two, const void *y, int64_t incy,
                            void *a, int64_t lda)
{
    union cublas_number factor = {{0}};
    if (!cublas_is_flag(fill) || n < 0 || incx == 0 || incy == 0 || (storage == FULL && lda < cublas_at_least_one(n)))
        return CUBLAS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_SUCCESS;
    if (!cublas_scalar(call, alpha, scalar_size, &factor) || cublas_is_zero(call->type, &factor))
        return call->status;
    const void *vx = cublas_vector(call, x, n, incx, READ);
    const void *vy = vx && two ? cublas_vector(call, y, n, incy, READ) : vx;
    void *matrix = vy ? stored(call, storage, fill, false, n, 0, a, lda, UPDATE) : NULL;
    blas_fn *routine = matrix && cublas_fits(call, 4, n, lda, incx, incy) ? cublas_routine(call, name) : NULL;
    int order = (int)n, ld = (int)lda, step_x = (int)incx, step_y = (int)incy;
    const char *triangle = cublas_letter_fill(fill);
    if (routine && two)
        BLAS_CALL(routine, triangle, &order, &factor, vx, &step_x, vy, &step_y, matrix, &ld);
    else if (routine)
        BLAS_CALL(routine, triangle, &order, &factor, vx, &step_x, matrix, &ld);
    return call->status;
}

/* Elements one beside the other, as a matrix of one column wants them. The caller frees it. */
static void *gathered(struct cublas_call *call, const char *from, int64_t n, int64_t increment)
{
    uint64_t size = blas_size(call->type);
    char *to = malloc((size_t)n * size);
    for (int64_t i = 0; to && i < n; i++)
        memcpy(to + (uint64_t)i * size, from + (increment < 0 ? (i - n + 1) * increment : i * increment) * (int64_t)size,
               size);
    return to;
}

/* BLAS has no complex syr and syr2: they are syrk and syr2k of one column. */
static int complex_update(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx,
                          bool two, const void *y, int64_t incy, void *a, int64_t lda)
{
    union cublas_number factor, one = {{0}};
    if (!cublas_is_flag(fill) || n < 0 || incx == 0 || incy == 0 || lda < cublas_at_least_one(n))
        return CUBLAS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_SUCCESS;
    if (!cublas_scalar(call, alpha, blas_size(call->type), &factor) || cublas_is_zero(call->type, &factor))
        return call->status;
    if (call->type == BLAS_C)
        one.s[0] = 1;
    else
        one.d[0] = 1;
    const void *vx = cublas_vector(call, x, n, incx, READ);
    const void *vy = vx && two ? cublas_vector(call, y, n, incy, READ) : vx;
    void *matrix = vy ? cublas_triangle(call, a, fill, false, n, lda, UPDATE) : NULL;
    blas_fn *routine = matrix && cublas_fits(call, 2, n, lda) ? cublas_routine(call, two ? "syr2k" : "syrk") : NULL;
    if (!routine)
        return call->status;
    void *column_x = gathered(call, vx, n, incx), *column_y = gathered(call, vy, n, two ? incy : incx);
    int order = (int)n, ld = (int)lda, single = 1;
    if (column_x && column_y && two)
        BLAS_CALL(routine, cublas_letter_fill(fill), "N", &order, &single, &factor, column_x, &order, column_y, &order, &one,
                  matrix, &ld);
    else if (column_x && column_y)
        BLAS_CALL(routine, cublas_letter_fill(fill), "N", &order, &single, &factor, column_x, &order, &one, matrix, &ld);
    else
        call->status = CUBLAS_ALLOC_FAILED;
    free(column_x);
    free(column_y);
    return call->status;
}

int blas_syr(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *a,
             int64_t lda)
{
    if (blas_is_complex(call->type))
        return complex_update(call, fill, n, alpha, x, incx, false, x, 1, a, lda);
    return symmetric_update(call, "syr", FULL, blas_size(call->type), fill, n, alpha, x, incx, false, NULL, 1, a, lda);
}

int blas_her(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *a,
             int64_t lda)
{
    return symmetric_update(call, "her", FULL, blas_real_size(call->type), fill, n, alpha, x, incx, false, NULL, 1, a, lda);
}

int blas_syr2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda)
{
    if (blas_is_complex(call->type))
        return complex_update(call, fill, n, alpha, x, incx, true, y, incy, a, lda);
    return symmetric_update(call, "syr2", FULL, blas_size(call->type), fill, n, alpha, x, incx, true, y, incy, a, lda);
}

int blas_her2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *a, int64_t lda)
{
    return symmetric_update(call, "her2", FULL, blas_size(call->type), fill, n, alpha, x, incx, true, y, incy, a, lda);
}

int blas_spr(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *ap)
{
    return symmetric_update(call, "spr", PACKED, blas_size(call->type), fill, n, alpha, x, incx, false, NULL, 1, ap, 0);
}

int blas_hpr(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, void *ap)
{
    return symmetric_update(call, "hpr", PACKED, blas_real_size(call->type), fill, n, alpha, x, incx, false, NULL, 1, ap, 0);
}

int blas_spr2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *ap)
{
    return symmetric_update(call, "spr2", PACKED, blas_size(call->type), fill, n, alpha, x, incx, true, y, incy, ap, 0);
}

int blas_hpr2(struct cublas_call *call, int fill, int64_t n, const void *alpha, const void *x, int64_t incx, const void *y,
              int64_t incy, void *ap)
{
    return symmetric_update(call, "hpr2", PACKED, blas_size(call->type), fill, n, alpha, x, incx, true, y, incy, ap, 0);
}

/* ---- Triangles: x = A x, and the solution of A x = b ---- */

static int triangular(struct cublas_call *call, const char *name, enum storage storage, int fill, int op, int diagonal,
                      int64_t n, int64_t k, const void *a, int64_t lda, void *x, int64_t incx)
{
    int64_t least = storage == FULL ? cublas_at_least_one(n) : storage == BAND ? k + 1 : 0;
    if (!cublas_is_flag(fill) || !cublas_is_operation(op) || !cublas_is_flag(diagonal) || n < 0 || k < 0 || lda < least
        || incx == 0)
        return CUBLAS_INVALID_VALUE;
    if (n == 0)
        return CUBLAS_SUCCESS;
    const void *matrix = stored(call, storage, fill, diagonal == 1, n, k, a, lda, READ);
    void *vector = matrix ? cublas_vector(call, x, n, incx, UPDATE) : NULL;
    blas_fn *routine = vector && cublas_fits(call, 4, n, k, lda, incx) ? cublas_routine(call, name) : NULL;
    int order = (int)n, diagonals = (int)k, ld = (int)lda, step = (int)incx;
    const char *triangle = cublas_letter_fill(fill), *turned = cublas_letter_operation(op),
               *unit = cublas_letter_diagonal(diagonal);
    if (routine && storage == FULL)
        BLAS_CALL(routine, triangle, turned, unit, &order, matrix, &ld, vector, &step);
    else if (routine && storage == BAND)
        BLAS_CALL(routine, triangle, turned, unit, &order, &diagonals, matrix, &ld, vector, &step);
    else if (routine)
        BLAS_CALL(routine, triangle, turned, unit, &order, matrix, vector, &step);
    return call->status;
}

int blas_trmv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *a, int64_t lda, void *x,
              int64_t incx)
{
    return triangular(call, "trmv", FULL, fill, op, diagonal, n, 0, a, lda, x, incx);
}

int blas_trsv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *a, int64_t lda, void *x,
              int64_t incx)
{
    return triangular(call, "trsv", FULL, fill, op, diagonal, n, 0, a, lda, x, incx);
}

int blas_tbmv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, int64_t k, const void *a, int64_t lda,
              void *x, int64_t incx)
{
    return triangular(call, "tbmv", BAND, fill, op, diagonal, n, k, a, lda, x, incx);
}

int blas_tbsv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, int64_t k, const void *a, int64_t lda,
              void *x, int64_t incx)
{
    return triangular(call, "tbsv", BAND, fill, op, diagonal, n, k, a, lda, x, incx);
}

int blas_tpmv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *ap, void *x, int64_t incx)
{
    return triangular(call, "tpmv", PACKED, fill, op, diagonal, n, 0, ap, 0, x, incx);
}

int blas_tpsv(struct cublas_call *call, int fill, int op, int diagonal, int64_t n, const void *ap, void *x, int64_t incx)
{
    return triangular(call, "tpsv", PACKED, fill, op, diagonal, n, 0, ap, 0, x, incx);
}
