#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/cusparse/cusparse.h"
#include "runtime/emulator/math_libraries/cusparse/handle.h"

int sparse_begin(struct sparse_call *call, void *handle, const char *name)
{
    *call = (struct sparse_call){.name = name, .handle = handle};
    return sparse_handle_lives(handle) ? SPARSE_SUCCESS : sparse_no_handle(handle);
}

int sparse_begin_arrays(struct sparse_call *call, void *handle, const char *name)
{
    return sparse_begin(call, handle, name) == SPARSE_SUCCESS ? SPARSE_SUCCESS : SPARSE_NOT_INITIALIZED;
}

int sparse_no_handle(const void *handle)
{
    return handle ? SPARSE_NOT_INITIALIZED : SPARSE_INVALID_VALUE;
}

/* cudaDataType, by value. */
static const struct {
    const char *name;
    uint64_t size;
} types[] = {
    {"CUDA_R_32F", 4}, {"CUDA_R_64F", 8}, {"CUDA_R_16F", 2},  {"CUDA_R_8I", 1},   {"CUDA_C_32F", 8}, {"CUDA_C_64F", 16},
    {"CUDA_C_16F", 4}, {"CUDA_C_8I", 2},  {"CUDA_R_8U", 1},   {"CUDA_C_8U", 2},   {"CUDA_R_32I", 4}, {"CUDA_C_32I", 8},
    {"CUDA_R_32U", 4}, {"CUDA_C_32U", 8}, {"CUDA_R_16BF", 2}, {"CUDA_C_16BF", 4},
};

uint64_t sparse_size(int type)
{
    return type >= 0 && (size_t)type < sizeof types / sizeof *types ? types[type].size : 0;
}

uint64_t sparse_index_size(int index_type)
{
    return index_type == INDEX_64I ? 8 : index_type == INDEX_32I ? 4 : 2;
}

bool sparse_offers(struct sparse_call *call, int type)
{
    if (type == R_32F || type == R_64F || type == C_32F || type == C_64F)
        return true;
    char what[96];
    if (sparse_size(type) > 0)
        snprintf(what, sizeof what, "the type %s in %s", types[type].name, call->name);
    else
        snprintf(what, sizeof what, "the type %d in %s", type, call->name);
    refuse("cuSPARSE", what);
    call->status = SPARSE_NOT_SUPPORTED;
    return false;
}

static char nothing[16]; /* where an array without elements lies */

void *sparse_array(struct sparse_call *call, const void *pointer, int64_t count, uint64_t size, int access)
{
    uint64_t bytes;
    if (count <= 0)
        return nothing;
    void *host = NULL;
    if (!__builtin_mul_overflow((uint64_t)count, size, &bytes))
        host = operand(call->name, call->handle->stream, pointer, bytes, bytes, 1, access);
    if (!host)
        call->status = pointer ? SPARSE_EXECUTION_FAILED : SPARSE_INVALID_VALUE;
    return host;
}

void *sparse_dense(struct sparse_call *call, const struct dense_matrix *matrix, int access)
{
    uint64_t size = sparse_size(matrix->type);
    bool by_columns = matrix->order == ORDER_COLUMNS;
    int64_t inner = by_columns ? matrix->rows : matrix->columns, outer = by_columns ? matrix->columns : matrix->rows;
    if (inner <= 0 || outer <= 0)
        return nothing;
    void *host = operand(call->name, call->handle->stream, matrix->values, (uint64_t)inner * size,
                         (uint64_t)matrix->ld * size, (uint64_t)outer, access);
    if (!host)
        call->status = SPARSE_EXECUTION_FAILED;
    return host;
}

void *sparse_place(struct sparse_call *call, const void *pointer, uint64_t size, int access)
{
    if (!pointer)
        call->status = SPARSE_INVALID_VALUE;
    if (!pointer || call->handle->pointer_mode == POINTER_HOST)
        return (void *)pointer;
    return sparse_array(call, pointer, 1, size, access);
}

bool sparse_work(struct sparse_call *call, const void *buffer)
{
    return sparse_array(call, buffer, SPARSE_WORK_BYTES, 1, WRITE) != NULL;
}

void *sparse_zeros(struct sparse_call *call, int64_t count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (!memory)
        call->status = SPARSE_ALLOC_FAILED;
    return memory;
}

/* ---- Numbers ---- */

bool sparse_is_complex(int type)
{
    return type >= C_32F;
}

struct number number_at(int type, const void *values, int64_t index)
{
    switch (type) {
    case R_32F: return (struct number){((const float *)values)[index], 0};
    case R_64F: return (struct number){((const double *)values)[index], 0};
    case C_32F: return (struct number){((const float *)values)[2 * index], ((const float *)values)[2 * index + 1]};
    default: return (struct number){((const double *)values)[2 * index], ((const double *)values)[2 * index + 1]};
    }
}

void number_put(int type, void *values, int64_t index, struct number number)
{
    int64_t at = sparse_is_complex(type) ? 2 * index : index;
    if (type == R_32F || type == C_32F)
        ((float *)values)[at] = (float)number.re;
    else
        ((double *)values)[at] = number.re;
    if (type == C_32F)
        ((float *)values)[at + 1] = (float)number.im;
    else if (type == C_64F)
        ((double *)values)[at + 1] = number.im;
}

bool sparse_scalar(struct sparse_call *call, const void *pointer, int type, struct number *number)
{
    const void *host = sparse_place(call, pointer, sparse_size(type), READ);
    if (host)
        *number = number_at(type, host, 0);
    return host != NULL;
}

struct number number_over(int type, struct number a, struct number b)
{
    if (!sparse_is_complex(type))
        return (struct number){a.re / b.re, 0};
    double square = b.re * b.re + b.im * b.im;
    return (struct number){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}

struct number number_blend(int type, struct number alpha, struct number sum, struct number beta, const void *values,
                           int64_t index)
{
    struct number product = number_times(type, alpha, sum);
    return number_is_zero(beta) ? product : number_plus(product, number_times(type, beta, number_at(type, values, index)));
}
