/* Factorizations, solutions, eigenvalues and singular values of dense matrices, by the host's LAPACK. */
#include "runtime/emulator/math_libraries/cusolver/dense.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/lu.h"
#include "runtime/emulator/math_libraries/base/operand.h"

enum { READ = LOCKSTEP_READ, WRITE = LOCKSTEP_WRITE, UPDATE = LOCKSTEP_READ | LOCKSTEP_WRITE };
enum { OP_N, OP_T, OP_C };       /* cublasOperation_t */
enum { FILL_LOWER, FILL_UPPER }; /* cublasFillMode_t */
enum { BLOCK = 32 };             /* columns that factorizations ask working memory for */

static int least(int ld)
{
    return ld > 1 ? ld : 1;
}

/* ---- Operands. Each returns NULL after setting the status. ---- */

static void *had(struct solver_call *call, void *host)
{
    if (!host)
        call->status = SOLVER_EXECUTION_FAILED;
    return host;
}

static void *matrix(struct solver_call *call, const void *pointer, int rows, int columns, int ld, int access)
{
    return had(call, array_matrix(&call->caller, pointer, rows, columns, ld, blas_size(call->type), access));
}

static void *triangle(struct solver_call *call, const void *pointer, int fill, int n, int ld, int access)
{
    return had(call,
               array_triangle(&call->caller, pointer, fill == FILL_UPPER, false, n, ld, blas_size(call->type), access));
}

static void *vector(struct solver_call *call, const void *pointer, int64_t count, uint64_t size, int access)
{
    return had(call, array_vector(&call->caller, pointer, count, 1, size, access));
}

/* Where `info` lies, after the number of the wrong argument, if there is one, was written there. */
static int *info_place(struct solver_call *call, int *info, int wrong)
{
    int *place = vector(call, info, 1, sizeof *info, WRITE);
    if (place)
        *place = -wrong;
    if (place && wrong)
        call->status = SOLVER_INVALID_VALUE;
    return call->status == SOLVER_SUCCESS ? place : NULL;
}

/* The working memory that the program made: ours is elsewhere, but a GPU would write to it. */
static bool workspace(struct solver_call *call, const void *work, int64_t length)
{
    return vector(call, work, length, blas_size(call->type), WRITE) != NULL;
}

static blas_fn *routine(struct solver_call *call, const char *name)
{
    blas_fn *found = blas_routine(call->type, name);
    if (!found)
        call->status = SOLVER_NOT_SUPPORTED;
    return found;
}

/* A size in elements as the program gets it. */
static int give_length(int64_t elements, int *length)
{
    if (!length || elements > INT_MAX)
        return SOLVER_INVALID_VALUE;
    *length = elements > 1 ? (int)elements : 1;
    return SOLVER_SUCCESS;
}

/* Working memory for LAPACK. NULL after setting the status. */
static void *scratch(struct solver_call *call, int64_t count, uint64_t size)
{
    void *memory = malloc((size_t)(count > 1 ? count : 1) * size);
    if (!memory)
        call->status = SOLVER_ALLOC_FAILED;
    return memory;
}

static bool is_flag(int flag)
{
    return flag == 0 || flag == 1;
}

static const char *letter(const char *letters, int which)
{
    return &letters[which];
}

/* ---- Cholesky ---- */

int dense_potrf_size(struct solver_call *call, int fill, int n, void *a, int lda, int *length)
{
    (void)call, (void)a, (void)lda;
    return is_flag(fill) ? give_length((int64_t)(n > 0 ? n : 0) * BLOCK, length) : SOLVER_INVALID_VALUE;
}

static int cholesky(struct solver_call *call, const char *name, int fill, int n, void *a, int lda, void *work, int length,
                    int *info)
{
    int wrong = !is_flag(fill) ? 1 : n < 0 ? 2 : lda < least(n) ? 4 : length < 0 ? 6 : 0;
    int *place = info_place(call, info, wrong);
    if (!place || n == 0 || !workspace(call, work, length))
        return call->status;
    void *factor = triangle(call, a, fill, n, lda, UPDATE);
    blas_fn *lapack = factor ? routine(call, name) : NULL;
    if (lapack)
        BLAS_CALL(lapack, letter("LU", fill), &n, factor, &lda, place);
    return call->status;
}

int dense_potrf(struct solver_call *call, int fill, int n, void *a, int lda, void *work, int length, int *info)
{
    return cholesky(call, "potrf", fill, n, a, lda, work, length, info);
}

int dense_potri(struct solver_call *call, int fill, int n, void *a, int lda, void *work, int length, int *info)
{
    return cholesky(call, "potri", fill, n, a, lda, work, length, info);
}

int dense_potrs(struct solver_call *call, int fill, int n, int columns, const void *a, int lda, void *b, int ldb, int *info)
{
    int wrong = !is_flag(fill) ? 1 : n < 0 ? 2 : columns < 0 ? 3 : lda < least(n) ? 5 : ldb < least(n) ? 7 : 0;
    int *place = info_place(call, info, wrong);
    if (!place || n == 0 || columns == 0)
        return call->status;
    const void *factor = triangle(call, a, fill, n, lda, READ);
    void *right = factor ? matrix(call, b, n, columns, ldb, UPDATE) : NULL;
    blas_fn *potrs = right ? routine(call, "potrs") : NULL;
    if (potrs)
        BLAS_CALL(potrs, letter("LU", fill), &n, &columns, factor, &lda, right, &ldb, place);
    return call->status;
}

int dense_potrf_batched(struct solver_call *call, int fill, int n, void *const *a, int lda, int *info, int batch)
{
    if (!is_flag(fill) || n < 0 || lda < least(n) || batch < 0)
        return SOLVER_INVALID_VALUE;
    if (n == 0 || batch == 0)
        return SOLVER_SUCCESS;
    void *const *list = vector(call, a, batch, sizeof *a, READ);
    int *results = list ? vector(call, info, batch, sizeof *info, WRITE) : NULL;
    blas_fn *potrf = results ? routine(call, "potrf") : NULL;
    for (int i = 0; i < batch && potrf; i++) {
        void *factor = triangle(call, list[i], fill, n, lda, UPDATE);
        if (!factor)
            break;
        BLAS_CALL(potrf, letter("LU", fill), &n, factor, &lda, &results[i]);
    }
    return call->status;
}

int dense_potrs_batched(struct solver_call *call, int fill, int n, int columns, void *const *a, int lda, void *const *b,
                        int ldb, int *info, int batch)
{
    int wrong = !is_flag(fill)   ? 1
                : n < 0          ? 2
                : columns != 1   ? 3
                : lda < least(n) ? 5
                : ldb < least(n) ? 7
                : batch < 0      ? 9
                                 : 0;
    int *place = info_place(call, info, wrong);
    if (!place || n == 0 || batch == 0)
        return call->status;
    void *const *list_a = vector(call, a, batch, sizeof *a, READ);
    void *const *list_b = list_a ? vector(call, b, batch, sizeof *b, READ) : NULL;
    blas_fn *potrs = list_b ? routine(call, "potrs") : NULL;
    for (int i = 0; i < batch && potrs; i++) {
        const void *factor = triangle(call, list_a[i], fill, n, lda, READ);
        void *right = factor ? matrix(call, list_b[i], n, columns, ldb, UPDATE) : NULL;
        if (!right)
            break;
        BLAS_CALL(potrs, letter("LU", fill), &n, &columns, factor, &lda, right, &ldb, place);
    }
    return call->status;
}

/* ---- LU ---- */

int dense_getrf_size(struct solver_call *call, int m, int n, void *a, int lda, int *length)
{
    (void)call, (void)a, (void)lda, (void)m;
    return give_length((int64_t)(n > 0 ? n : 0) * BLOCK, length);
}

int dense_getrf(struct solver_call *call, int m, int n, void *a, int lda, void *work, int *pivots, int *info)
{
    int *place = info_place(call, info, m < 0 ? 1 : n < 0 ? 2 : lda < least(m) ? 4 : 0);
    if (!place || m == 0 || n == 0 || !workspace(call, work, (int64_t)n * BLOCK))
        return call->status;
    int *rows = pivots ? vector(call, pivots, m < n ? m : n, sizeof *pivots, WRITE) : NULL;
    void *factors = call->status == SOLVER_SUCCESS ? matrix(call, a, m, n, lda, UPDATE) : NULL;
    blas_fn *getrf = factors ? routine(call, "getrf") : NULL;
    if (getrf && rows)
        BLAS_CALL(getrf, &m, &n, factors, &lda, rows, place);
    else if (getrf)
        lu_factor(call->type, m, n, factors, lda, place);
    return call->status;
}

int dense_getrs(struct solver_call *call, int op, int n, int columns, const void *a, int lda, const int *pivots, void *b,
                int ldb, int *info)
{
    int wrong = op < OP_N || op > OP_C ? 1 : n < 0 ? 2 : columns < 0 ? 3 : lda < least(n) ? 5 : ldb < least(n) ? 8 : 0;
    int *place = info_place(call, info, wrong);
    if (!place || n == 0 || columns == 0)
        return call->status;
    int *plain = pivots ? NULL : scratch(call, n, sizeof *plain);
    for (int i = 0; plain && i < n; i++)
        plain[i] = i + 1;
    const int *rows = pivots ? vector(call, pivots, n, sizeof *pivots, READ) : plain;
    const void *factors = rows ? matrix(call, a, n, n, lda, READ) : NULL;
    void *right = factors ? matrix(call, b, n, columns, ldb, UPDATE) : NULL;
    blas_fn *getrs = right ? routine(call, "getrs") : NULL;
    if (getrs)
        BLAS_CALL(getrs, letter("NTC", op), &n, &columns, factors, &lda, rows, right, &ldb, place);
    free(plain);
    return call->status;
}

/* ---- QR ---- */

/* What LAPACK's blocked routines ask for n columns. */
static int block_of(int n)
{
    return n < INT_MAX / BLOCK ? n * BLOCK : n;
}

int dense_geqrf(struct solver_call *call, int m, int n, void *a, int lda, void *tau, void *work, int length, int *info)
{
    int *place = info_place(call, info, m < 0 ? 1 : n < 0 ? 2 : lda < least(m) ? 4 : length < 0 ? 7 : 0);
    if (!place || m == 0 || n == 0 || !workspace(call, work, length))
        return call->status;
    uint64_t size = blas_size(call->type);
    void *factors = matrix(call, a, m, n, lda, UPDATE);
    void *reflectors = factors ? vector(call, tau, m < n ? m : n, size, WRITE) : NULL;
    blas_fn *geqrf = reflectors ? routine(call, "geqrf") : NULL;
    int available = block_of(n);
    void *memory = geqrf ? scratch(call, available, size) : NULL;
    if (memory)
        BLAS_CALL(geqrf, &m, &n, factors, &lda, reflectors, memory, &available, place);
    free(memory);
    return call->status;
}

int dense_orgqr_size(struct solver_call *call, int m, int n, int k, const void *a, int lda, const void *tau, int *length)
{
    (void)call, (void)m, (void)k, (void)a, (void)lda, (void)tau;
    return give_length((int64_t)(n > 0 ? n : 0) * BLOCK, length);
}

int dense_orgqr(struct solver_call *call, int m, int n, int k, void *a, int lda, const void *tau, void *work, int length,
                int *info)
{
    int wrong = m < 0 ? 1 : n < 0 || n > m ? 2 : k < 0 || k > n ? 3 : lda < least(m) ? 5 : length < 0 ? 8 : 0;
    int *place = info_place(call, info, wrong);
    if (!place || m == 0 || n == 0 || !workspace(call, work, length))
        return call->status;
    uint64_t size = blas_size(call->type);
    /* The reflectors lie below the diagonal of the first k columns; the rest of A is written only. */
    void *factors = matrix(call, a, m, k, lda, READ);
    factors = factors ? matrix(call, a, m, n, lda, WRITE) : NULL;
    const void *reflectors = factors ? vector(call, tau, k, size, READ) : NULL;
    blas_fn *orgqr = reflectors ? routine(call, blas_is_complex(call->type) ? "ungqr" : "orgqr") : NULL;
    int available = block_of(n);
    void *memory = orgqr ? scratch(call, available, size) : NULL;
    if (memory)
        BLAS_CALL(orgqr, &m, &n, &k, factors, &lda, reflectors, memory, &available, place);
    free(memory);
    return call->status;
}

int dense_ormqr_size(struct solver_call *call, int side, int op, int m, int n, int k, const void *a, int lda,
                     const void *tau, const void *c, int ldc, int *length)
{
    (void)call, (void)op, (void)k, (void)a, (void)lda, (void)tau, (void)c, (void)ldc;
    int64_t other = side == 0 ? n : m;
    return is_flag(side) ? give_length((other > 0 ? other : 0) * BLOCK, length) : SOLVER_INVALID_VALUE;
}

int dense_ormqr(struct solver_call *call, int side, int op, int m, int n, int k, const void *a, int lda, const void *tau,
                void *c, int ldc, void *work, int length, int *info)
{
    int order = side == 0 ? m : n, other = side == 0 ? n : m;
    bool turns = op == OP_N || op == (blas_is_complex(call->type) ? OP_C : OP_T);
    int wrong = !is_flag(side)       ? 1
                : !turns             ? 2
                : m < 0              ? 3
                : n < 0              ? 4
                : k < 0 || k > order ? 5
                : lda < least(order) ? 7
                : ldc < least(m)     ? 10
                : length < 0         ? 12
                                     : 0;
    int *place = info_place(call, info, wrong);
    if (!place || m == 0 || n == 0 || !workspace(call, work, length))
        return call->status;
    uint64_t size = blas_size(call->type);
    void *factors = matrix(call, a, order, k, lda, READ);
    const void *reflectors = factors ? vector(call, tau, k, size, READ) : NULL;
    void *product = reflectors ? matrix(call, c, m, n, ldc, UPDATE) : NULL;
    blas_fn *ormqr = product ? routine(call, blas_is_complex(call->type) ? "unmqr" : "ormqr") : NULL;
    int64_t needed = (int64_t)other * BLOCK + (int64_t)(BLOCK + 1) * 2 * BLOCK; /* what LAPACK's blocked routine asks */
    int available = needed < INT_MAX ? (int)needed : INT_MAX;
    void *memory = ormqr ? scratch(call, available, size) : NULL;
    if (memory)
        BLAS_CALL(ormqr, letter("LR", side), letter("NTC", op), &m, &n, &k, factors, &lda, reflectors, product, &ldc, memory,
                  &available, place);
    free(memory);
    return call->status;
}

/* ---- Eigenvalues and singular values ---- */

int dense_syevd_size(struct solver_call *call, int mode, int fill, int n, const void *a, int lda, const void *values,
                     int *length)
{
    (void)call, (void)mode, (void)fill, (void)a, (void)lda, (void)values;
    int64_t order = n > 0 ? n : 0;
    return give_length(2 * order * order + 6 * order + 1, length);
}

int dense_syevd(struct solver_call *call, int mode, int fill, int n, void *a, int lda, void *values, void *work, int length,
                int *info)
{
    bool complex = blas_is_complex(call->type);
    int64_t order = n > 0 ? n : 0, wanted = 2 * order * order + 6 * order + 1;
    int wrong = !is_flag(mode) ? 1 : !is_flag(fill) ? 2 : n < 0 ? 3 : lda < least(n) ? 5 : length < 0 ? 8 : 0;
    int *place = info_place(call, info, wrong);
    if (!place || n == 0 || !workspace(call, work, length))
        return call->status;
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    void *host = triangle(call, a, fill, n, lda, UPDATE);
    host = host && mode == 1 ? matrix(call, a, n, n, lda, WRITE) : host;
    void *found = host ? vector(call, values, n, real, WRITE) : NULL;
    blas_fn *syevd = found ? routine(call, complex ? "heevd" : "syevd") : NULL;
    int count = (int)wanted, reals = (int)(2 * order * order + 5 * order + 1), integers = 5 * n + 3;
    void *memory = syevd ? scratch(call, wanted, size) : NULL, *rest = memory ? scratch(call, reals, real) : NULL;
    int *numbers = rest ? scratch(call, integers, sizeof *numbers) : NULL;
    if (numbers && complex)
        BLAS_CALL(syevd, letter("NV", mode), letter("LU", fill), &n, host, &lda, found, memory, &count, rest, &reals,
                  numbers, &integers, place);
    else if (numbers)
        BLAS_CALL(syevd, letter("NV", mode), letter("LU", fill), &n, host, &lda, found, memory, &count, numbers, &integers,
                  place);
    free(memory);
    free(rest);
    free(numbers);
    return call->status;
}

int dense_gesvd_size(struct solver_call *call, int m, int n, int *length)
{
    (void)call;
    int64_t rows = m > 0 ? m : 0, columns = n > 0 ? n : 0;
    return give_length(BLOCK * (rows + 3 * columns), length);
}

/* Columns of U, or rows of V', that a job asks for. -1: no such job. */
static int wanted_vectors(signed char job, int all, int some)
{
    return job == 'A' ? all : job == 'S' ? some : job == 'O' || job == 'N' ? 0 : -1;
}

int dense_gesvd(struct solver_call *call, signed char job_u, signed char job_v, int m, int n, void *a, int lda, void *values,
                void *u, int ldu, void *v, int ldv, void *work, int length, void *rest, int *info)
{
    int columns = wanted_vectors(job_u, m, n), rows = wanted_vectors(job_v, n, n);
    int64_t wanted = BLOCK * ((int64_t)(m > 0 ? m : 0) + 3 * (int64_t)(n > 0 ? n : 0));
    int wrong = columns < 0                                  ? 1
                : rows < 0 || (job_u == 'O' && job_v == 'O') ? 2
                : m < 0                                      ? 3
                : n < 0 || n > m                             ? 4
                : lda < least(m)                             ? 6
                : ldu < (columns > 0 ? least(m) : 1)         ? 9
                : ldv < (rows > 0 ? least(n) : 1)            ? 11
                : length < 0                                 ? 13
                                                             : 0;
    int *place = info_place(call, info, wrong);
    if (!place || m == 0 || n == 0 || !workspace(call, work, length))
        return call->status;
    uint64_t size = blas_size(call->type), real = blas_real_size(call->type);
    void *host = matrix(call, a, m, n, lda, UPDATE);
    void *found = host ? vector(call, values, n, real, WRITE) : NULL;
    void *left = found ? matrix(call, u, m, columns, ldu, WRITE) : NULL;
    void *right = left ? matrix(call, v, rows, n, ldv, WRITE) : NULL;
    /* What did not converge goes to `rest`, if the program has a place for it. */
    void *unconverged = right && rest ? vector(call, rest, n - 1, real, WRITE) : NULL;
    blas_fn *gesvd = right && call->status == SOLVER_SUCCESS ? routine(call, "gesvd") : NULL;
    int count = (int)(wanted < INT_MAX ? wanted : INT_MAX);
    void *memory = gesvd ? scratch(call, count, size) : NULL;
    char *more = memory ? scratch(call, 5 * (int64_t)n, real) : NULL;
    if (more && blas_is_complex(call->type))
        BLAS_CALL(gesvd, &job_u, &job_v, &m, &n, host, &lda, found, left, &ldu, right, &ldv, memory, &count, more, place);
    else if (more)
        BLAS_CALL(gesvd, &job_u, &job_v, &m, &n, host, &lda, found, left, &ldu, right, &ldv, memory, &count, place);
    if (more && unconverged && n > 1)
        memcpy(unconverged, blas_is_complex(call->type) ? more : (char *)memory + real, (size_t)(n - 1) * real);
    free(memory);
    free(more);
    return call->status;
}
