/* Handles, what a program sets and asks of one, and the descriptors of the functions that take arrays. */
#include "runtime/emulator/math_libraries/cusparse/handle.h"

#include <pthread.h>
#include <stdlib.h>

#include "runtime/emulator/math_libraries/cusparse/interface.h"

static struct sparse_handle *living;
static pthread_mutex_t handles = PTHREAD_MUTEX_INITIALIZER;

static struct sparse_handle **find(const struct sparse_handle *handle)
{
    struct sparse_handle **place = &living;
    while (*place && *place != handle)
        place = &(*place)->next;
    return place;
}

bool sparse_handle_lives(const struct sparse_handle *handle)
{
    pthread_mutex_lock(&handles);
    bool lives = handle && *find(handle);
    pthread_mutex_unlock(&handles);
    return lives;
}

int cusparseCreate(void **handle)
{
    if (!handle)
        return SPARSE_INVALID_VALUE;
    if (!operand_context())
        return SPARSE_NOT_INITIALIZED;
    struct sparse_handle *made = calloc(1, sizeof *made);
    if (!made)
        return SPARSE_ALLOC_FAILED;
    pthread_mutex_lock(&handles);
    made->next = living;
    living = made;
    pthread_mutex_unlock(&handles);
    *handle = made;
    return SPARSE_SUCCESS;
}

int cusparseDestroy(void *handle)
{
    if (!handle)
        return SPARSE_SUCCESS;
    pthread_mutex_lock(&handles);
    struct sparse_handle **place = find(handle), *found = *place;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&handles);
    free(found);
    return found ? SPARSE_SUCCESS : SPARSE_NOT_INITIALIZED;
}

/* cuSPARSE 12.6 of CUDA 13.0. */
static const int version_numbers[3] = {12, 6, 3};

int cusparseGetVersion(void *handle, int *version)
{
    if (!sparse_handle_lives(handle))
        return sparse_no_handle(handle);
    if (!version)
        return SPARSE_INVALID_VALUE;
    *version = version_numbers[0] * 1000 + version_numbers[1] * 100 + version_numbers[2];
    return SPARSE_SUCCESS;
}

int cusparseGetProperty(int property, int *value)
{
    if (!value || property < 0 || property > 2)
        return SPARSE_INVALID_VALUE;
    *value = version_numbers[property];
    return SPARSE_SUCCESS;
}

int cusparseSetStream(void *handle, void *stream)
{
    if (!sparse_handle_lives(handle))
        return sparse_no_handle(handle);
    ((struct sparse_handle *)handle)->stream = stream;
    return SPARSE_SUCCESS;
}

int cusparseGetStream(void *handle, void **stream)
{
    if (!sparse_handle_lives(handle))
        return sparse_no_handle(handle);
    if (!stream)
        return SPARSE_INVALID_VALUE;
    *stream = ((struct sparse_handle *)handle)->stream;
    return SPARSE_SUCCESS;
}

int cusparseSetPointerMode(void *handle, int mode)
{
    if (!sparse_handle_lives(handle))
        return sparse_no_handle(handle);
    if (mode != POINTER_HOST && mode != POINTER_DEVICE)
        return SPARSE_INVALID_VALUE;
    ((struct sparse_handle *)handle)->pointer_mode = mode;
    return SPARSE_SUCCESS;
}

int cusparseGetPointerMode(void *handle, int *mode)
{
    if (!sparse_handle_lives(handle))
        return sparse_no_handle(handle);
    if (!mode)
        return SPARSE_INVALID_VALUE;
    *mode = ((struct sparse_handle *)handle)->pointer_mode;
    return SPARSE_SUCCESS;
}

static const struct {
    const char *name, *words;
} statuses[] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "texture memory mapping error"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

const char *cusparseGetErrorName(int status)
{
    return status >= 0 && status < STATUSES ? statuses[status].name : "unrecognized error code";
}

const char *cusparseGetErrorString(int status)
{
    return status >= 0 && status < STATUSES ? statuses[status].words : "unrecognized error code";
}

/* There is no log. */
int cusparseLoggerSetCallback(void *callback)
{
    (void)callback;
    return SPARSE_SUCCESS;
}
int cusparseLoggerSetFile(void *file)
{
    (void)file;
    return SPARSE_SUCCESS;
}
int cusparseLoggerOpenFile(const char *file)
{
    (void)file;
    return SPARSE_SUCCESS;
}
int cusparseLoggerSetLevel(int level)
{
    (void)level;
    return SPARSE_SUCCESS;
}
int cusparseLoggerSetMask(int mask)
{
    (void)mask;
    return SPARSE_SUCCESS;
}
int cusparseLoggerForceDisable(void)
{
    return SPARSE_SUCCESS;
}

int cusparseCreateMatDescr(void **descriptor)
{
    if (!descriptor)
        return SPARSE_INVALID_VALUE;
    *descriptor = calloc(1, sizeof(struct sparse_kind));
    return *descriptor ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;
}

int cusparseDestroyMatDescr(void *descriptor)
{
    free(descriptor);
    return SPARSE_SUCCESS;
}

#define SETTING(name, member, last)                              \
    int cusparseSetMat##name(void *descriptor, int value)        \
    {                                                            \
        if (!descriptor)                                         \
            return SPARSE_NOT_INITIALIZED;                       \
        if (value < 0 || value > (last))                         \
            return SPARSE_INVALID_VALUE;                         \
        ((struct sparse_kind *)descriptor)->member = value;      \
        return SPARSE_SUCCESS;                                   \
    }                                                            \
    int cusparseGetMat##name(const void *descriptor)             \
    {                                                            \
        return ((const struct sparse_kind *)descriptor)->member; \
    }
SETTING(Type, type, 3)
SETTING(FillMode, fill, 1)
SETTING(DiagType, diagonal, 1)
SETTING(IndexBase, base, 1)
