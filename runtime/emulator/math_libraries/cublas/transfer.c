/* cublasSetVector and its sisters. */
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cublas/interface.h"

/* The host's side of a copy: pinned and managed memory is checked as the device's is, any other is the program's own. */
static void *host_side(const struct caller *caller, const void *pointer, int64_t rows, int64_t columns, int64_t ld,
                       uint64_t size, int access)
{
    if (operand_is_known(pointer))
        return array_matrix(caller, pointer, rows, columns, ld, size, access);
    return (void *)(uintptr_t)pointer;
}

static int copy(const char *call, void *stream, bool to_device, int64_t m, int64_t n, int64_t size, const void *a,
                int64_t lda, void *b, int64_t ldb)
{
    struct caller caller = {call, stream};
    if (m == 0 || n == 0)
        return CUBLAS_SUCCESS;
    if (!operand_context())
        return CUBLAS_NOT_INITIALIZED;
    const char *from = (to_device ? host_side : array_matrix)(&caller, a, m, n, lda, (uint64_t)size, LOCKSTEP_READ);
    char *to = from ? (to_device ? array_matrix : host_side)(&caller, b, m, n, ldb, (uint64_t)size, LOCKSTEP_WRITE) : NULL;
    if (!to)
        return CUBLAS_MAPPING_ERROR;
    for (int64_t column = 0; column < n; column++)
        memmove(to + column * ldb * size, from + column * lda * size, (size_t)(m * size));
    return CUBLAS_SUCCESS;
}

/* A vector is a matrix of one row. */
static int copy_vector(const char *call, void *stream, bool to_device, int64_t n, int64_t size, const void *x, int64_t incx,
                       void *y, int64_t incy)
{
    if (size <= 0 || incx <= 0 || incy <= 0)
        return CUBLAS_INVALID_VALUE;
    if (n < 0)
        return CUBLAS_MAPPING_ERROR; /* as on an H200, like rows that are longer than the leading dimension */
    return copy(call, stream, to_device, 1, n, size, x, incx, y, incy);
}

static int copy_matrix(const char *call, void *stream, bool to_device, int64_t m, int64_t n, int64_t size, const void *a,
                       int64_t lda, void *b, int64_t ldb)
{
    if (m < 0 || n < 0 || size <= 0 || lda <= 0 || ldb <= 0)
        return CUBLAS_INVALID_VALUE;
    if (lda < m || ldb < m)
        return CUBLAS_MAPPING_ERROR;
    return copy(call, stream, to_device, m, n, size, a, lda, b, ldb);
}

#define COPIES(INT, WIDE, direction, to_device)                                                                         \
    int cublas##direction##Vector##WIDE(INT n, INT size, const void *x, INT incx, void *y, INT incy)                    \
    {                                                                                                                   \
        return copy_vector("cublas" #direction "Vector" #WIDE, NULL, to_device, n, size, x, incx, y, incy);             \
    }                                                                                                                   \
    int cublas##direction##Matrix##WIDE(INT m, INT n, INT size, const void *a, INT lda, void *b, INT ldb)               \
    {                                                                                                                   \
        return copy_matrix("cublas" #direction "Matrix" #WIDE, NULL, to_device, m, n, size, a, lda, b, ldb);            \
    }                                                                                                                   \
    int cublas##direction##VectorAsync##WIDE(INT n, INT size, const void *x, INT incx, void *y, INT incy, void *s)      \
    {                                                                                                                   \
        return copy_vector("cublas" #direction "VectorAsync" #WIDE, s, to_device, n, size, x, incx, y, incy);           \
    }                                                                                                                   \
    int cublas##direction##MatrixAsync##WIDE(INT m, INT n, INT size, const void *a, INT lda, void *b, INT ldb, void *s) \
    {                                                                                                                   \
        return copy_matrix("cublas" #direction "MatrixAsync" #WIDE, s, to_device, m, n, size, a, lda, b, ldb);          \
    }

COPIES(int, , Set, true)
COPIES(int, , Get, false)
COPIES(int64_t, _64, Set, true)
COPIES(int64_t, _64, Get, false)

void cublasXerbla(const char *name, int parameter)
{
    fprintf(stderr, "On entry to %s, parameter number %d had an illegal value\n", name, parameter);
}
