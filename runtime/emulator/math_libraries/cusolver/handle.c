/* Handles, and what a program sets and asks of one. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/base/version.h"
#include "runtime/emulator/math_libraries/cusolver/interface.h"

static struct solver_handle *living;
static pthread_mutex_t handles = PTHREAD_MUTEX_INITIALIZER;

static struct solver_handle **find(const struct solver_handle *handle)
{
    struct solver_handle **place = &living;
    while (*place && *place != handle)
        place = &(*place)->next;
    return place;
}

static bool lives(const struct solver_handle *handle)
{
    pthread_mutex_lock(&handles);
    bool found = handle && *find(handle);
    pthread_mutex_unlock(&handles);
    return found;
}

int solver_begin(struct solver_call *call, void *handle, const char *name, enum blas_type type)
{
    *call = (struct solver_call){.caller = {.call = name}, .type = type};
    if (!lives(handle))
        return SOLVER_NOT_INITIALIZED;
    call->caller.stream = ((struct solver_handle *)handle)->stream;
    return SOLVER_SUCCESS;
}

int cusolverDnCreate(void **handle)
{
    if (!handle)
        return SOLVER_INVALID_VALUE;
    if (!operand_context())
        return SOLVER_NOT_INITIALIZED;
    struct solver_handle *made = calloc(1, sizeof *made);
    if (!made)
        return SOLVER_ALLOC_FAILED;
    made->deterministic_mode = 1;
    pthread_mutex_lock(&handles);
    made->next = living;
    living = made;
    pthread_mutex_unlock(&handles);
    *handle = made;
    return SOLVER_SUCCESS;
}

int cusolverDnDestroy(void *handle)
{
    pthread_mutex_lock(&handles);
    struct solver_handle **place = find(handle), *found = handle ? *place : NULL;
    if (found)
        *place = found->next;
    pthread_mutex_unlock(&handles);
    free(found);
    return found ? SOLVER_SUCCESS : SOLVER_NOT_INITIALIZED;
}

int cusolverDnSetStream(void *handle, void *stream)
{
    if (!lives(handle))
        return SOLVER_NOT_INITIALIZED;
    ((struct solver_handle *)handle)->stream = stream;
    return SOLVER_SUCCESS;
}

int cusolverDnGetStream(void *handle, void **stream)
{
    if (!lives(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!stream)
        return SOLVER_INVALID_VALUE;
    *stream = ((struct solver_handle *)handle)->stream;
    return SOLVER_SUCCESS;
}

int cusolverDnSetDeterministicMode(void *handle, int mode)
{
    enum { DETERMINISTIC = 1, NOT_DETERMINISTIC };
    if (!lives(handle))
        return SOLVER_NOT_INITIALIZED;
    if (mode != DETERMINISTIC && mode != NOT_DETERMINISTIC)
        return SOLVER_INVALID_VALUE;
    ((struct solver_handle *)handle)->deterministic_mode = mode;
    return SOLVER_SUCCESS;
}

int cusolverDnGetDeterministicMode(void *handle, int *mode)
{
    if (!lives(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!mode)
        return SOLVER_INVALID_VALUE;
    *mode = ((struct solver_handle *)handle)->deterministic_mode;
    return SOLVER_SUCCESS;
}

/* The interface that the program was built for, as one of the releases that had it: 11.7.5 or 12.0.4. */
static int version(void)
{
    return library_major((const void *)version) == 11 ? 11705 : 12004;
}

int cusolverGetVersion(int *result)
{
    if (!result)
        return SOLVER_INVALID_VALUE;
    *result = version();
    return SOLVER_SUCCESS;
}

int cusolverGetProperty(int property, int *value)
{
    enum { MAJOR, MINOR, PATCH }; /* libraryPropertyType */
    if (!value || property < MAJOR || property > PATCH)
        return SOLVER_INVALID_VALUE;
    *value = property == MAJOR ? version() / 1000 : property == MINOR ? version() / 100 % 10 : version() % 100;
    return SOLVER_SUCCESS;
}

/* cusolverDnParams_t chooses among algorithms, of which there is one here. */
int cusolverDnCreateParams(void **parameters)
{
    if (!parameters)
        return SOLVER_INVALID_VALUE;
    *parameters = malloc(1);
    return *parameters ? SOLVER_SUCCESS : SOLVER_ALLOC_FAILED;
}

int cusolverDnDestroyParams(void *parameters)
{
    free(parameters);
    return SOLVER_SUCCESS;
}

/* syevjInfo_t and gesvdjInfo_t. */
struct jacobi {
    double tolerance;
    int sweeps, sort;
};

#define JACOBI(create, destroy, set_tolerance, set_sweeps, set_sort) \
    int create(void **info)                                          \
    {                                                                \
        if (!info)                                                   \
            return SOLVER_INVALID_VALUE;                             \
        *info = calloc(1, sizeof(struct jacobi));                    \
        return *info ? SOLVER_SUCCESS : SOLVER_ALLOC_FAILED;         \
    }                                                                \
    int destroy(void *info)                                          \
    {                                                                \
        free(info);                                                  \
        return SOLVER_SUCCESS;                                       \
    }                                                                \
    int set_tolerance(void *info, double tolerance)                  \
    {                                                                \
        if (!info)                                                   \
            return SOLVER_INVALID_VALUE;                             \
        ((struct jacobi *)info)->tolerance = tolerance;              \
        return SOLVER_SUCCESS;                                       \
    }                                                                \
    int set_sweeps(void *info, int sweeps)                           \
    {                                                                \
        if (!info)                                                   \
            return SOLVER_INVALID_VALUE;                             \
        ((struct jacobi *)info)->sweeps = sweeps;                    \
        return SOLVER_SUCCESS;                                       \
    }                                                                \
    int set_sort(void *info, int sort)                               \
    {                                                                \
        if (!info)                                                   \
            return SOLVER_INVALID_VALUE;                             \
        ((struct jacobi *)info)->sort = sort;                        \
        return SOLVER_SUCCESS;                                       \
    }
JACOBI(cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo, cusolverDnXsyevjSetTolerance, cusolverDnXsyevjSetMaxSweeps,
       cusolverDnXsyevjSetSortEig)
JACOBI(cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo, cusolverDnXgesvdjSetTolerance, cusolverDnXgesvdjSetMaxSweeps,
       cusolverDnXgesvdjSetSortEig)
