/* What cuSOLVER computes by Jacobi's method, one matrix or many: eigenvalues and singular values. LAPACK's methods give the same
 * up to rounding and the signs of vectors, so tolerances and numbers of sweeps are kept, and have no effect. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cusolver/dense.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };
enum { LARGEST_OF_BATCH = 32 }; /* rows and columns of gesvdjBatched */

/* ---- Eigenvalues ---- */

int dense_syevj_size(struct solver_call *call, int mode, int fill, int n, const void *a, int lda, const void *values,
                     int *length, void *parameters)
{
    (void)parameters;
    return dense_syevd_size(call, mode, fill, n, a, lda, values, length);
}

int dense_syevj(struct solver_call *call, int mode, int fill, int n, void *a, int lda, void *values, void *work, int length,
                int *info, void *parameters)
{
    (void)parameters;
    return dense_syevd(call, mode, fill, n, a, lda, values, work, length, info);
}

int dense_syevj_batched_size(struct solver_call *call, int mode, int fill, int n, const void *a, int lda, const void *values,
                             int *length, void *parameters, int batch)
{
    (void)parameters, (void)batch;
    return dense_syevd_size(call, mode, fill, n, a, lda, values, length);
}

int dense_syevj_batched(struct solver_call *call, int mode, int fill, int n, void *a, int lda, void *values, void *work,
                        int length, int *info, void *parameters, int batch)
{
    (void)parameters;
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    int status = n < 0 || lda < 0 || batch < 0 ? SOLVER_INVALID_VALUE : SOLVER_SUCCESS;
    for (int64_t i = 0; i < batch && status == SOLVER_SUCCESS; i++)
        status = dense_syevd(call, mode, fill, n, (char *)a + (uint64_t)(i * lda * n) * size, lda,
                             (char *)values + (uint64_t)(i * n) * real, work, length, info + i);
    return status;
}

/* ---- Singular values ---- */

/* One matrix, its sizes checked: columns of U and of V are those of the whole matrix, or as many as there are values. */
struct svd {
    int m, n, lda, ldu, ldv;
    bool vectors, whole;
};

/* V is the conjugate transpose of what LAPACK gives. */
static void transpose(enum blas_type type, int rows, int columns, const char *from, char *to, int ld)
{
    uint64_t size = blas_size(type), real = blas_real_size(type);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            char *target = to + (uint64_t)(j + i * ld) * size;
            memcpy(target, from + (uint64_t)(i + j * rows) * size, size);
            if (type == BLAS_C)
                ((float *)target)[1] = -((float *)target)[1];
            else if (type == BLAS_Z)
                ((double *)(target + real))[0] = -((double *)(target + real))[0];
        }
}

static int svd(struct solver_call *call, const struct svd *p, void *a, void *values, void *u, void *v, int *info)
{
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    int m = p->m, n = p->n, few = m < n ? m : n, columns = p->whole ? m : few, rows = p->whole ? n : few;
    void *host = array_matrix(&call->caller, a, m, n, p->lda, size, UPDATE);
    void *found = host ? array_vector(&call->caller, values, few, 1, real, WRITE) : NULL;
    void *left = !found || !p->vectors ? found : array_matrix(&call->caller, u, m, columns, p->ldu, size, WRITE);
    char *right = !left || !p->vectors ? left : array_matrix(&call->caller, v, n, rows, p->ldv, size, WRITE);
    int *place = right ? array_vector(&call->caller, info, 1, 1, sizeof *info, WRITE) : NULL;
    if (!place)
        return SOLVER_EXECUTION_FAILED;
    blas_fn *gesvd = blas_routine(call->type, "gesvd");
    if (!gesvd)
        return SOLVER_NOT_SUPPORTED;
    int64_t wanted = 64 * (3 * (int64_t)few + (m > n ? m : n));
    int length = (int)(wanted < INT_MAX ? wanted : INT_MAX);
    char *work = malloc((size_t)length * size), *more = malloc(5 * (size_t)few * real);
    char *turned = malloc((size_t)rows * (size_t)n * size);
    const char *job = !p->vectors ? "N" : p->whole ? "A" : "S";
    bool ready = work && more && turned;
    if (ready && blas_is_complex(call->type))
        BLAS_CALL(gesvd, job, job, &m, &n, host, &p->lda, found, left, &p->ldu, turned, &rows, work, &length, more, place);
    else if (ready)
        BLAS_CALL(gesvd, job, job, &m, &n, host, &p->lda, found, left, &p->ldu, turned, &rows, work, &length, place);
    if (ready && p->vectors)
        transpose(call->type, rows, n, turned, right, p->ldv);
    free(work);
    free(more);
    free(turned);
    return ready ? SOLVER_SUCCESS : SOLVER_ALLOC_FAILED;
}

static int at_least_one(int value)
{
    return value > 1 ? value : 1;
}

static bool is_svd(int mode, int econ, const struct svd *p)
{
    bool sizes = p->m >= 0 && p->n >= 0 && p->lda >= at_least_one(p->m);
    bool places = !p->vectors || (p->ldu >= at_least_one(p->m) && p->ldv >= at_least_one(p->n));
    return sizes && places && (mode == 0 || mode == 1) && (econ == 0 || econ == 1);
}

int dense_gesvdj_size(struct solver_call *call, int mode, int econ, int m, int n, const void *a, int lda, const void *values,
                      const void *u, int ldu, const void *v, int ldv, int *length, void *parameters)
{
    (void)call, (void)mode, (void)econ, (void)a, (void)lda, (void)values, (void)u, (void)ldu, (void)v, (void)ldv;
    (void)parameters;
    return dense_gesvd_size(call, m, n, length);
}

int dense_gesvdj(struct solver_call *call, int mode, int econ, int m, int n, void *a, int lda, void *values, void *u,
                 int ldu, void *v, int ldv, void *work, int length, int *info, void *parameters)
{
    (void)parameters;
    const struct svd p = {m, n, lda, ldu, ldv, mode == 1, econ == 0};
    if (!is_svd(mode, econ, &p) || length < 0)
        return SOLVER_INVALID_VALUE;
    if (!array_vector(&call->caller, work, length, 1, blas_size(call->type), WRITE))
        return SOLVER_EXECUTION_FAILED;
    return m == 0 || n == 0 ? SOLVER_SUCCESS : svd(call, &p, a, values, u, v, info);
}

int dense_gesvdj_batched_size(struct solver_call *call, int mode, int m, int n, const void *a, int lda, const void *values,
                              const void *u, int ldu, const void *v, int ldv, int *length, void *parameters, int batch)
{
    (void)mode, (void)a, (void)lda, (void)values, (void)u, (void)ldu, (void)v, (void)ldv, (void)parameters, (void)batch;
    return dense_gesvd_size(call, m, n, length);
}

int dense_gesvdj_batched(struct solver_call *call, int mode, int m, int n, void *a, int lda, void *values, void *u, int ldu,
                         void *v, int ldv, void *work, int length, int *info, void *parameters, int batch)
{
    (void)parameters;
    const struct svd p = {m, n, lda, ldu, ldv, mode == 1, true};
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    if (!is_svd(mode, 0, &p) || m > LARGEST_OF_BATCH || n > LARGEST_OF_BATCH || length < 0 || batch < 0)
        return SOLVER_INVALID_VALUE;
    if (!array_vector(&call->caller, work, length, 1, size, WRITE))
        return SOLVER_EXECUTION_FAILED;
    int status = SOLVER_SUCCESS, few = m < n ? m : n;
    for (int64_t i = 0; i < batch && m > 0 && n > 0 && status == SOLVER_SUCCESS; i++)
        status = svd(call, &p, (char *)a + (uint64_t)(i * lda * n) * size, (char *)values + (uint64_t)(i * few) * real,
                     p.vectors ? (char *)u + (uint64_t)(i * ldu * m) * size : NULL,
                     p.vectors ? (char *)v + (uint64_t)(i * ldv * n) * size : NULL, info + i);
    return status;
}
