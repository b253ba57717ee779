/* Many small problems in one call: matrices that a device array of pointers names, or that lie a stride apart. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/lu.h"
#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/routines.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };

/* A device array of pointers. NULL after setting the status; not to be used for an empty batch. */
static void *const *pointers(struct cublas_call *call, const void *array, int64_t batch)
{
    return cublas_list(call, array, batch, sizeof(void *), READ);
}

static const void *moved(struct cublas_call *call, const void *pointer, int64_t elements)
{
    return (const char *)pointer + elements * (int64_t)blas_size(call->type);
}

int blas_gemmBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                     const void *const *a, int64_t lda, const void *const *b, int64_t ldb, const void *beta, void *const *c,
                     int64_t ldc, int64_t batch)
{
    /* An empty product has the sizes checked, and nothing else. */
    int status = blas_gemm(call, opa, opb, m, 0, k, alpha, NULL, lda, NULL, opb == OP_N ? ldb : INT_MAX, beta, NULL, ldc);
    if (status != CUBLAS_SUCCESS || batch < 0 || n < 0 || (opb != OP_N && ldb < cublas_at_least_one(n)))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_b = list_a ? pointers(call, b, batch) : NULL,
                *const *list_c = list_b ? pointers(call, c, batch) : NULL;
    if (!list_c)
        return call->status;
    status = CUBLAS_SUCCESS;
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++)
        status = blas_gemm(call, opa, opb, m, n, k, alpha, list_a[i], lda, list_b[i], ldb, beta, list_c[i], ldc);
    return status;
}

int blas_gemmStridedBatched(struct cublas_call *call, int opa, int opb, int64_t m, int64_t n, int64_t k, const void *alpha,
                            const void *a, int64_t lda, int64_t stride_a, const void *b, int64_t ldb, int64_t stride_b,
                            const void *beta, void *c, int64_t ldc, int64_t stride_c, int64_t batch)
{
    int status = batch < 0 ? CUBLAS_INVALID_VALUE : CUBLAS_SUCCESS;
    if (batch == 0)
        status = blas_gemm(call, opa, opb, m, 0, k, alpha, NULL, lda, NULL, INT_MAX, beta, NULL, ldc);
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++)
        status = blas_gemm(call, opa, opb, m, n, k, alpha, moved(call, a, i * stride_a), lda, moved(call, b, i * stride_b),
                           ldb, beta, (void *)moved(call, c, i * stride_c), ldc);
    return status;
}

int blas_gemvBatched(struct cublas_call *call, int op, int64_t m, int64_t n, const void *alpha, const void *const *a,
                     int64_t lda, const void *const *x, int64_t incx, const void *beta, void *const *y, int64_t incy,
                     int64_t batch)
{
    int status = blas_gemv(call, op, m, 0, alpha, NULL, lda, NULL, incx, beta, NULL, incy);
    if (status != CUBLAS_SUCCESS || n < 0 || batch < 0)
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_x = list_a ? pointers(call, x, batch) : NULL,
                *const *list_y = list_x ? pointers(call, y, batch) : NULL;
    if (!list_y)
        return call->status;
    status = CUBLAS_SUCCESS;
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++)
        status = blas_gemv(call, op, m, n, alpha, list_a[i], lda, list_x[i], incx, beta, list_y[i], incy);
    return status;
}

int blas_gemvStridedBatched(struct cublas_call *call, int op, int64_t m, int64_t n, const void *alpha, const void *a,
                            int64_t lda, int64_t stride_a, const void *x, int64_t incx, int64_t stride_x, const void *beta,
                            void *y, int64_t incy, int64_t stride_y, int64_t batch)
{
    int status = batch < 0 ? CUBLAS_INVALID_VALUE : CUBLAS_SUCCESS;
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++)
        status = blas_gemv(call, op, m, n, alpha, moved(call, a, i * stride_a), lda, moved(call, x, i * stride_x), incx,
                           beta, (void *)moved(call, y, i * stride_y), incy);
    return status;
}

int blas_trsmBatched(struct cublas_call *call, int side, int fill, int op, int diagonal, int64_t m, int64_t n,
                     const void *alpha, const void *const *a, int64_t lda, void *const *b, int64_t ldb, int64_t batch)
{
    int64_t order = side == SIDE_LEFT ? m : n;
    if (!cublas_is_flag(side) || !cublas_is_flag(fill) || !cublas_is_operation(op) || !cublas_is_flag(diagonal) || m < 0
        || n < 0 || batch < 0 || lda < cublas_at_least_one(order) || ldb < cublas_at_least_one(m))
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_b = list_a ? pointers(call, b, batch) : NULL;
    if (!list_b)
        return call->status;
    int status = CUBLAS_SUCCESS;
    for (int64_t i = 0; i < batch && status == CUBLAS_SUCCESS; i++)
        status = blas_trsm(call, side, fill, op, diagonal, m, n, alpha, list_a[i], lda, list_b[i], ldb);
    return status;
}

/* ---- Factorizations ---- */

int blas_getrfBatched(struct cublas_call *call, int n, void *const *a, int lda, int *pivots, int *info, int batch)
{
    if (n < 0 || batch < 0 || lda < cublas_at_least_one(n))
        return CUBLAS_INVALID_VALUE;
    if (n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list = pointers(call, a, batch);
    int *results = list ? cublas_list(call, info, batch, sizeof *info, WRITE) : NULL;
    int *rows = results && pivots ? cublas_list(call, pivots, (int64_t)batch * n, sizeof *pivots, WRITE) : NULL;
    blas_fn *getrf = results && (rows || !pivots) ? cublas_routine(call, "getrf") : NULL;
    for (int i = 0; i < batch && getrf; i++) {
        void *matrix = cublas_matrix(call, list[i], n, n, lda, UPDATE);
        if (!matrix)
            return call->status;
        if (pivots)
            BLAS_CALL(getrf, &n, &n, matrix, &lda, rows + (int64_t)i * n, &results[i]);
        else
            lu_factor(call->type, n, n, matrix, lda, &results[i]);
    }
    return call->status;
}

/* Numbers 1 to n: the pivots of a factorization that exchanged no rows. The caller frees them. */
static int *no_exchanges(int n)
{
    int *rows = malloc((size_t)n * sizeof *rows);
    for (int i = 0; rows && i < n; i++)
        rows[i] = i + 1;
    return rows;
}

int blas_getrsBatched(struct cublas_call *call, int op, int n, int columns, const void *const *a, int lda, const int *pivots,
                      void *const *b, int ldb, int *info, int batch)
{
    int wrong = !cublas_is_operation(op)       ? 1
                : n < 0                        ? 2
                : columns < 0                  ? 3
                : lda < cublas_at_least_one(n) ? 5
                : ldb < cublas_at_least_one(n) ? 8
                : batch < 0                    ? 10
                                               : 0;
    if (info)
        *info = -wrong;
    if (wrong)
        return CUBLAS_INVALID_VALUE;
    if (n == 0 || columns == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_b = list_a ? pointers(call, b, batch) : NULL;
    int *rows = list_b && pivots ? cublas_list(call, pivots, (int64_t)batch * n, sizeof *rows, READ) : NULL;
    blas_fn *getrs = list_b && (rows || !pivots) ? cublas_routine(call, "getrs") : NULL;
    int *plain = getrs && !pivots ? no_exchanges(n) : NULL;
    if (getrs && !pivots && !plain)
        return CUBLAS_ALLOC_FAILED;
    for (int i = 0; i < batch && getrs; i++) {
        int result;
        const void *factors = cublas_matrix(call, list_a[i], n, n, lda, READ);
        void *right = factors ? cublas_matrix(call, list_b[i], n, columns, ldb, UPDATE) : NULL;
        if (!right)
            break;
        BLAS_CALL(getrs, cublas_letter_operation(op), &n, &columns, factors, &lda, pivots ? rows + (int64_t)i * n : plain,
                  right, &ldb, &result);
    }
    free(plain);
    return call->status;
}

/* The inverse of factors that lie in `c` already. */
static int invert(struct cublas_call *call, int n, void *c, int ldc, const int *rows, int *info)
{
    int64_t count = (int64_t)n * 64;
    int length = (int)(count < INT_MAX ? count : INT_MAX);
    void *work = malloc((size_t)length * blas_size(call->type));
    blas_fn *getri = work ? cublas_routine(call, "getri") : NULL;
    if (getri)
        BLAS_CALL(getri, &n, c, &ldc, rows, work, &length, info);
    free(work);
    return !work ? CUBLAS_ALLOC_FAILED : call->status;
}

int blas_getriBatched(struct cublas_call *call, int n, const void *const *a, int lda, const int *pivots, void *const *c,
                      int ldc, int *info, int batch)
{
    if (n < 0 || batch < 0 || lda < cublas_at_least_one(n) || ldc < cublas_at_least_one(n))
        return CUBLAS_INVALID_VALUE;
    if (n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_c = list_a ? pointers(call, c, batch) : NULL;
    int *results = list_c ? cublas_list(call, info, batch, sizeof *info, WRITE) : NULL;
    int *rows = results && pivots ? cublas_list(call, pivots, (int64_t)batch * n, sizeof *rows, READ) : NULL;
    int *plain = results && !pivots ? no_exchanges(n) : NULL;
    if (!rows && !plain)
        return results && !pivots ? CUBLAS_ALLOC_FAILED : call->status;
    int status = CUBLAS_SUCCESS;
    uint64_t size = blas_size(call->type);
    for (int i = 0; i < batch && status == CUBLAS_SUCCESS; i++) {
        const char *from = cublas_matrix(call, list_a[i], n, n, lda, READ);
        char *to = from ? cublas_matrix(call, list_c[i], n, n, ldc, WRITE) : NULL;
        for (int64_t column = 0; column < n && to; column++)
            memmove(to + (uint64_t)(column * ldc) * size, from + (uint64_t)(column * lda) * size, (size_t)n * size);
        status = to ? invert(call, n, to, ldc, pivots ? rows + (int64_t)i * n : plain, &results[i]) : call->status;
    }
    free(plain);
    return status;
}

int blas_matinvBatched(struct cublas_call *call, int n, const void *const *a, int lda, void *const *inverse, int ld_inverse,
                       int *info, int batch)
{
    enum { LARGEST = 32 };
    if (n < 0 || n > LARGEST || batch < 0 || lda < cublas_at_least_one(n) || ld_inverse < cublas_at_least_one(n))
        return CUBLAS_INVALID_VALUE;
    if (n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_c = list_a ? pointers(call, inverse, batch) : NULL;
    int *results = list_c ? cublas_list(call, info, batch, sizeof *info, WRITE) : NULL;
    blas_fn *getrf = results ? cublas_routine(call, "getrf") : NULL;
    uint64_t size = blas_size(call->type);
    for (int i = 0; i < batch && getrf && call->status == CUBLAS_SUCCESS; i++) {
        int rows[LARGEST];
        const char *from = cublas_matrix(call, list_a[i], n, n, lda, READ);
        char *to = from ? cublas_matrix(call, list_c[i], n, n, ld_inverse, WRITE) : NULL;
        if (!to)
            break;
        for (int column = 0; column < n; column++)
            memmove(to + (uint64_t)column * (uint64_t)ld_inverse * size, from + (uint64_t)column * (uint64_t)lda * size,
                    (size_t)n * size);
        BLAS_CALL(getrf, &n, &n, to, &ld_inverse, rows, &results[i]);
        if (results[i] == 0)
            call->status = invert(call, n, to, ld_inverse, rows, &results[i]);
    }
    return call->status;
}

int blas_geqrfBatched(struct cublas_call *call, int m, int n, void *const *a, int lda, void *const *tau, int *info,
                      int batch)
{
    int wrong = m < 0 ? 1 : n < 0 ? 2 : lda < cublas_at_least_one(m) ? 4 : batch < 0 ? 7 : 0;
    if (info)
        *info = -wrong;
    if (wrong)
        return CUBLAS_INVALID_VALUE;
    if (m == 0 || n == 0 || batch == 0)
        return CUBLAS_SUCCESS;
    void *const *list_a = pointers(call, a, batch), *const *list_t = list_a ? pointers(call, tau, batch) : NULL;
    blas_fn *geqrf = list_t ? cublas_routine(call, "geqrf") : NULL;
    int length = n < INT_MAX / 64 ? n * 64 : n, result;
    void *work = geqrf ? malloc((size_t)length * blas_size(call->type)) : NULL;
    if (geqrf && !work)
        return CUBLAS_ALLOC_FAILED;
    for (int i = 0; i < batch && geqrf; i++) {
        void *matrix = cublas_matrix(call, list_a[i], m, n, lda, UPDATE);
        void *factors = matrix ? cublas_vector(call, list_t[i], m < n ? m : n, 1, WRITE) : NULL;
        if (!factors)
            break;
        BLAS_CALL(geqrf, &m, &n, matrix, &lda, factors, work, &length, &result);
    }
    free(work);
    return call->status;
}
