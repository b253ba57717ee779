#include "runtime/emulator/cudart/runtime.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CUresult initialisation;
static CUcontext primary;

static __thread cudaError_t last_error;

static void initialise(void)
{
    initialisation = cuInit(0);
    if (initialisation == CUDA_SUCCESS)
        initialisation = cuDevicePrimaryCtxRetain(&primary, 0); /* kept until the process ends */
}

CUresult runtime_enter(void)
{
    pthread_once(&once, initialise);
    CUcontext current = NULL;
    CUresult result = initialisation;
    if (result == CUDA_SUCCESS)
        result = cuCtxGetCurrent(&current);
    if (result == CUDA_SUCCESS && !current)
        result = cuCtxSetCurrent(primary);
    return result;
}

CUresult runtime_retain(void)
{
    CUresult result = cuDevicePrimaryCtxRetain(&primary, 0);
    return result == CUDA_SUCCESS ? cuCtxSetCurrent(primary) : result;
}

cudaError_t runtime_leave(CUresult result)
{
    return runtime_fail((cudaError_t)result);
}

cudaError_t runtime_fail(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady) /* an event that is not reached yet is not an error */
        last_error = error;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {name, #name, text},
#include "runtime/emulator/cudart/errors.def"
#undef ERROR
};

static int find(cudaError_t error)
{
    for (int i = 0; i < (int)(sizeof errors / sizeof errors[0]); i++) {
        if (errors[i].error == error)
            return i;
    }
    return -1;
}

const char *cudaGetErrorName(cudaError_t error)
{
    int row = find(error);
    return row < 0 ? "unrecognized error code" : errors[row].name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    int row = find(error);
    return row < 0 ? "unrecognized error code" : errors[row].text;
}
