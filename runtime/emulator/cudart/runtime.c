#include "runtime/emulator/cudart/runtime.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/lockstep_driver.h"

/* Of the emulated driver alone. */
extern lockstep_call_failed_fn lockstepCallFailed __attribute__((weak));
extern lockstep_error_read_fn lockstepErrorRead __attribute__((weak));

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CUresult initialisation;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext primaries[RUNTIME_DEVICES]; /* by device; NULL: not retained */

static __thread cudaError_t last_error;

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static bool is_eager;        /* CUDA_MODULE_LOADING=EAGER */
static void (*loader)(void); /* of all kernels */

void runtime_set_loader(void (*load_all)(void))
{
    loader = load_all;
}

static void initialise(void)
{
    const char *loading = getenv("CUDA_MODULE_LOADING");
    is_eager = loading && strcmp(loading, "EAGER") == 0;
    initialisation = cuInit(0);
    if (initialisation == CUDA_SUCCESS)
        initialisation = cuDevicePrimaryCtxRetain(&primaries[0], 0); /* kept until the process ends */
}

/* Makes the primary context of a device current, which is retained on its first use. */
static CUresult use_primary(int device)
{
    pthread_mutex_lock(&lock);
    CUresult result = primaries[device] ? CUDA_SUCCESS : cuDevicePrimaryCtxRetain(&primaries[device], device);
    CUcontext primary = primaries[device];
    pthread_mutex_unlock(&lock);
    return result == CUDA_SUCCESS ? cuCtxSetCurrent(primary) : result;
}

CUresult runtime_enter(void)
{
    pthread_once(&once, initialise);
    CUcontext current = NULL;
    CUresult result = initialisation;
    if (result == CUDA_SUCCESS)
        result = cuCtxGetCurrent(&current);
    if (result == CUDA_SUCCESS && !current) {
        result = use_primary(0);
        if (result == CUDA_SUCCESS && is_eager && loader)
            pthread_once(&loaded, loader);
    }
    return result;
}

int runtime_device(void)
{
    CUdevice device;
    return cuCtxGetDevice(&device) == CUDA_SUCCESS ? device : 0;
}

CUresult runtime_set_device(int device)
{
    int count;
    CUresult result = cuDeviceGetCount(&count);
    if (result == CUDA_SUCCESS && (device < 0 || device >= count))
        return CUDA_ERROR_INVALID_DEVICE;
    return result == CUDA_SUCCESS ? use_primary(device) : result;
}

CUresult runtime_get_context(int device, CUcontext *context)
{
    CUcontext current;
    CUresult result = cuCtxGetCurrent(&current);
    if (result == CUDA_SUCCESS)
        result = runtime_set_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    *context = primaries[device];
    return cuCtxSetCurrent(current);
}

CUresult runtime_retain(int device)
{
    pthread_mutex_lock(&lock);
    CUresult result = cuDevicePrimaryCtxRetain(&primaries[device], device);
    pthread_mutex_unlock(&lock);
    return result == CUDA_SUCCESS ? use_primary(device) : result;
}

static const char *name_of(cudaError_t error), *text_of(cudaError_t error);

cudaError_t runtime_leave(CUresult result)
{
    return runtime_fail((cudaError_t)result);
}

cudaError_t runtime_fail(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady) { /* an event that is not reached yet is not an error */
        last_error = error;
        if (lockstepCallFailed)
            lockstepCallFailed((int)error, name_of(error), text_of(error));
    }
    return error;
}

/* The program has looked at a failure. */
static void note_look(cudaError_t error)
{
    if (error != cudaSuccess && lockstepErrorRead)
        lockstepErrorRead();
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    note_look(last_error);
    return last_error;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {name, #name, text},
#include "runtime/cuda/runtime_errors.def"
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

static const char *name_of(cudaError_t error)
{
    int row = find(error);
    return row < 0 ? "unrecognized error code" : errors[row].name;
}

static const char *text_of(cudaError_t error)
{
    int row = find(error);
    return row < 0 ? "unrecognized error code" : errors[row].text;
}

const char *cudaGetErrorName(cudaError_t error)
{
    note_look(error);
    return name_of(error);
}

const char *cudaGetErrorString(cudaError_t error)
{
    note_look(error);
    return text_of(error);
}
