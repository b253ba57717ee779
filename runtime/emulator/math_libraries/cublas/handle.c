/* Handles, and what a program sets and asks of one. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/base/version.h"
#include "runtime/emulator/math_libraries/cublas/cublas.h"
#include "runtime/emulator/math_libraries/cublas/interface.h"

static struct cublas_handle *living;
static pthread_mutex_t handles = PTHREAD_MUTEX_INITIALIZER;

static struct cublas_handle **find(const struct cublas_handle *handle)
{
    struct cublas_handle **place = &living;
    while (*place && *place != handle)
        place = &(*place)->next;
    return place;
}

bool cublas_handle_lives(const struct cublas_handle *handle)
{
    pthread_mutex_lock(&handles);
    bool lives = handle && *find(handle);
    pthread_mutex_unlock(&handles);
    return lives;
}

int cublasCreate_v2(void **handle)
{
    if (!handle)
        return CUBLAS_INVALID_VALUE;
    if (!operand_context())
        return CUBLAS_NOT_INITIALIZED;
    struct cublas_handle *made = calloc(1, sizeof *made);
    if (!made)
        return CUBLAS_ALLOC_FAILED;
    pthread_mutex_lock(&handles);
    made->next = living;
    living = made;
    pthread_mutex_unlock(&handles);
    *handle = made;
    return CUBLAS_SUCCESS;
}

int cublasDestroy_v2(void *handle)
{
    pthread_mutex_lock(&handles);
    struct cublas_handle **place = find(handle), *found = handle ? *place : NULL;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&handles);
    free(found);
    return found ? CUBLAS_SUCCESS : CUBLAS_NOT_INITIALIZED;
}

/* The interface that the program was built for, as one of the releases that had it. */
static int version(void)
{
    return library_major((const void *)version) == 12 ? 120901 : 130100;
}

int cublasGetVersion_v2(void *handle, int *result)
{
    (void)handle; /* NVIDIA's library asks for none */
    if (!result)
        return CUBLAS_INVALID_VALUE;
    *result = version();
    return CUBLAS_SUCCESS;
}

int cublasGetProperty(int property, int *value)
{
    enum { MAJOR, MINOR, PATCH }; /* libraryPropertyType */
    if (!value || property < MAJOR || property > PATCH)
        return CUBLAS_INVALID_VALUE;
    *value = property == MAJOR ? version() / 10000 : property == MINOR ? version() / 100 % 100 : version() % 100;
    return CUBLAS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    return library_major((const void *)version) == 12 ? 12090 : 13000;
}

int cublasSetStream_v2(void *handle, void *stream)
{
    if (!cublas_handle_lives(handle))
        return CUBLAS_NOT_INITIALIZED;
    ((struct cublas_handle *)handle)->stream = stream;
    return CUBLAS_SUCCESS;
}

int cublasGetStream_v2(void *handle, void **stream)
{
    if (!cublas_handle_lives(handle))
        return CUBLAS_NOT_INITIALIZED;
    if (!stream)
        return CUBLAS_INVALID_VALUE;
    *stream = ((struct cublas_handle *)handle)->stream;
    return CUBLAS_SUCCESS;
}

int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes)
{
    (void)workspace, (void)bytes; /* nothing here needs one */
    return cublas_handle_lives(handle) ? CUBLAS_SUCCESS : CUBLAS_NOT_INITIALIZED;
}

/* A setting of a handle: a function that sets it, if it is one of its values, and one that gets it. */
#define SETTING(set, get, member, valid)                         \
    int set(void *handle, int value)                             \
    {                                                            \
        if (!cublas_handle_lives(handle))                        \
            return CUBLAS_NOT_INITIALIZED;                       \
        if (!(valid))                                            \
            return CUBLAS_INVALID_VALUE;                         \
        ((struct cublas_handle *)handle)->member = value;        \
        return CUBLAS_SUCCESS;                                   \
    }                                                            \
    int get(void *handle, int *value)                            \
    {                                                            \
        if (!cublas_handle_lives(handle))                        \
            return CUBLAS_NOT_INITIALIZED;                       \
        if (!value)                                              \
            return CUBLAS_INVALID_VALUE;                         \
        *value = ((const struct cublas_handle *)handle)->member; \
        return CUBLAS_SUCCESS;                                   \
    }

/* Modes that allow shorter types, emulate a precision with another or forbid sums of lower precision: all compute alike
 * here. NVIDIA's library took every sum of these flags on an H200. */
#define IS_MATH_MODE (value >= 0 && value <= 31)

SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, pointer_mode, cublas_is_flag(value))
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, atomics_mode, cublas_is_flag(value))
SETTING(cublasSetMathMode, cublasGetMathMode, math_mode, IS_MATH_MODE)
SETTING(cublasSetSmCountTarget, cublasGetSmCountTarget, multiprocessors, value >= 0)

static const struct {
    int status;
    const char *name, *words;
} statuses[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the function requires an architectural feature absent from the device"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the requested functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

const char *cublasGetStatusName(int status)
{
    for (int i = 0; i < STATUSES; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "unrecognized status";
}

const char *cublasGetStatusString(int status)
{
    for (int i = 0; i < STATUSES; i++)
        if (statuses[i].status == status)
            return statuses[i].words;
    return "unrecognized status";
}

/* There is no log. */
int cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *file)
{
    (void)on, (void)to_stdout, (void)to_stderr, (void)file;
    return CUBLAS_SUCCESS;
}

static void *logger;

int cublasSetLoggerCallback(void *callback)
{
    logger = callback;
    return CUBLAS_SUCCESS;
}

int cublasGetLoggerCallback(void **callback)
{
    if (!callback)
        return CUBLAS_INVALID_VALUE;
    *callback = logger;
    return CUBLAS_SUCCESS;
}
