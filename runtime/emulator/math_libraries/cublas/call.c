#include "runtime/emulator/math_libraries/cublas/cublas.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"

int cublas_begin(struct cublas_call *call, void *handle, const char *name, enum blas_type type)
{
    *call = (struct cublas_call){.caller = {.call = name}, .handle = handle, .type = type};
    if (!cublas_handle_lives(handle))
        return CUBLAS_NOT_INITIALIZED;
    call->caller.stream = call->handle->stream;
    return CUBLAS_SUCCESS;
}

/* The driver has reported what is wrong with an operand. A null pointer is an argument that NVIDIA's library checks. */
static void *had(struct cublas_call *call, const void *pointer, void *host)
{
    if (!host)
        call->status = pointer ? CUBLAS_EXECUTION_FAILED : CUBLAS_INVALID_VALUE;
    return host;
}

bool cublas_scalar(struct cublas_call *call, const void *pointer, uint64_t size, void *number)
{
    const void *host = pointer;
    if (!pointer)
        call->status = CUBLAS_INVALID_VALUE;
    else if (call->handle->pointer_mode == POINTER_DEVICE)
        host = had(call, pointer, operand(call->caller.call, call->caller.stream, pointer, size, size, 1, LOCKSTEP_READ));
    if (host)
        memcpy(number, host, size);
    return host != NULL;
}

void *cublas_result(struct cublas_call *call, void *pointer, uint64_t size, int access)
{
    if (!pointer)
        call->status = CUBLAS_INVALID_VALUE;
    if (!pointer || call->handle->pointer_mode == POINTER_HOST)
        return pointer;
    return had(call, pointer, operand(call->caller.call, call->caller.stream, pointer, size, size, 1, access));
}

void *cublas_vector(struct cublas_call *call, const void *pointer, int64_t count, int64_t increment, int access)
{
    return had(call, pointer, array_vector(&call->caller, pointer, count, increment, blas_size(call->type), access));
}

void *cublas_matrix(struct cublas_call *call, const void *pointer, int64_t rows, int64_t columns, int64_t ld, int access)
{
    return had(call, pointer, array_matrix(&call->caller, pointer, rows, columns, ld, blas_size(call->type), access));
}

void *cublas_triangle(struct cublas_call *call, const void *pointer, int fill, bool unit, int64_t n, int64_t ld, int access)
{
    return had(call, pointer,
               array_triangle(&call->caller, pointer, fill == FILL_UPPER, unit, n, ld, blas_size(call->type), access));
}

void *cublas_list(struct cublas_call *call, const void *pointer, int64_t count, uint64_t size, int access)
{
    return had(call, pointer, array_vector(&call->caller, pointer, count, 1, size, access));
}

bool cublas_real_is_zero(enum blas_type type, const void *number)
{
    const union cublas_number *n = number;
    return blas_real_size(type) == 4 ? n->s[0] == 0 : n->d[0] == 0;
}

bool cublas_is_zero(enum blas_type type, const void *number)
{
    const union cublas_number *n = number;
    bool imaginary = type == BLAS_C ? n->s[1] != 0 : type == BLAS_Z && n->d[1] != 0;
    return cublas_real_is_zero(type, number) && !imaginary;
}

blas_fn *cublas_routine(struct cublas_call *call, const char *name)
{
    blas_fn *routine = blas_routine(call->type, name);
    if (!routine)
        call->status = CUBLAS_NOT_SUPPORTED;
    return routine;
}

bool cublas_fits(struct cublas_call *call, int count, ...)
{
    bool fits = true;
    va_list values;
    va_start(values, count);
    for (int i = 0; i < count; i++) {
        int64_t value = va_arg(values, int64_t);
        fits = fits && value >= -INT32_MAX && value <= INT32_MAX;
    }
    va_end(values);
    if (!fits) {
        char what[128];
        snprintf(what, sizeof what, "sizes above 2147483647 in %s", call->caller.call);
        refuse("cuBLAS", what);
        call->status = CUBLAS_NOT_SUPPORTED;
    }
    return fits;
}

int cublas_scale(struct cublas_call *call, int64_t rows, int64_t columns, const void *beta, void *c, int64_t ld)
{
    static const double nothing[2];
    blas_fn *gemm = cublas_fits(call, 3, rows, columns, ld) ? cublas_routine(call, "gemm") : NULL;
    int m = (int)rows, n = (int)columns, inner = 0, one = 1, ld_c = (int)ld;
    if (gemm)
        BLAS_CALL(gemm, "N", "N", &m, &n, &inner, nothing, nothing, &m, nothing, &one, beta, c, &ld_c);
    return call->status;
}
