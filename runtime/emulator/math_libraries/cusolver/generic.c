/* The interface whose operands name their types, and whose sizes have 64 bits. */
#include <limits.h>
#include <stdio.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cusolver/dense.h"
#include "runtime/emulator/math_libraries/cusolver/interface.h"

/* A cudaDataType as a type of BLAS; -1: none. */
static int type_of(int type)
{
    enum { R_32F, R_64F, C_32F = 4, C_64F };
    return type == R_32F ? BLAS_S : type == R_64F ? BLAS_D : type == C_32F ? BLAS_C : type == C_64F ? BLAS_Z : -1;
}

/* Types that go together, and sizes of 32 bits, which is what LAPACK has. */
static int check(int type_a, int type_w, int compute, int64_t n, int64_t lda)
{
    int type = type_of(type_a), real = type_of(type_w);
    if (type < 0 || real < 0 || compute != type_a || blas_is_complex((enum blas_type)real)
        || blas_size((enum blas_type)real) != blas_real_size((enum blas_type)type))
        return SOLVER_INVALID_VALUE;
    if (n > INT_MAX || lda > INT_MAX) {
        refuse("cuSOLVER", "sizes above 2147483647");
        return SOLVER_NOT_SUPPORTED;
    }
    return n < 0 || lda < 0 ? SOLVER_INVALID_VALUE : SOLVER_SUCCESS;
}

int cusolverDnXsyevd_bufferSize(void *handle, void *parameters, int mode, int fill, int64_t n, int type_a, const void *a,
                                int64_t lda, int type_w, const void *values, int compute, size_t *device_bytes,
                                size_t *host_bytes)
{
    (void)parameters;
    struct solver_call call;
    int length = 0, status = check(type_a, type_w, compute, n, lda);
    if (status == SOLVER_SUCCESS)
        status = solver_begin(&call, handle, "cusolverDnXsyevd_bufferSize", (enum blas_type)type_of(type_a));
    if (status == SOLVER_SUCCESS)
        status = dense_syevd_size(&call, mode, fill, (int)n, a, (int)lda, values, &length);
    if (status == SOLVER_SUCCESS && (!device_bytes || !host_bytes))
        status = SOLVER_INVALID_VALUE;
    if (status == SOLVER_SUCCESS) {
        *device_bytes = (size_t)length * blas_size(call.type);
        *host_bytes = 0;
    }
    return status;
}

int cusolverDnXsyevd(void *handle, void *parameters, int mode, int fill, int64_t n, int type_a, void *a, int64_t lda,
                     int type_w, void *values, int compute, void *device, size_t device_bytes, void *host, size_t host_bytes,
                     int *info)
{
    (void)parameters, (void)host, (void)host_bytes;
    struct solver_call call;
    int status = check(type_a, type_w, compute, n, lda);
    if (status == SOLVER_SUCCESS)
        status = solver_begin(&call, handle, "cusolverDnXsyevd", (enum blas_type)type_of(type_a));
    if (status != SOLVER_SUCCESS)
        return status;
    size_t length = device_bytes / blas_size(call.type);
    return dense_syevd(&call, mode, fill, (int)n, a, (int)lda, values, device, length < INT_MAX ? (int)length : INT_MAX,
                       info);
}
