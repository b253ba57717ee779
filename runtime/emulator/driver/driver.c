#include "runtime/emulator/driver/driver.h"

#include <pthread.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/unordered.h"

/* The version of the API that the driver speaks: CUDA 13.0. */
#define DRIVER_VERSION 13000

struct driver driver;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_inside;

void driver_lock(void)
{
    pthread_mutex_lock(&lock);
    is_inside = true;
}

void driver_unlock(void)
{
    is_inside = false;
    pthread_mutex_unlock(&lock);
}

bool driver_is_inside(void)
{
    return is_inside;
}

CUresult driver_enter_any(void)
{
    driver_lock();
    unordered_open();
    unordered_report_faults();
    return driver.initialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver_enter(struct context **context)
{
    CUresult result = driver_enter_any();
    return result == CUDA_SUCCESS ? context_get_usable(context) : result;
}

CUresult driver_enter_unsafe(struct context **context)
{
    CUresult result = driver_enter(context);
    return result == CUDA_SUCCESS ? capture_allow(CAPTURE_CALL_UNSAFE, NULL) : result;
}

CUresult driver_leave(CUresult result)
{
    unordered_guard();
    driver_unlock();
    return result;
}

void driver_call_back(void (*function)(void *), void *data)
{
    unordered_guard();
    driver_unlock();
    function(data);
    driver_lock();
    unordered_open();
    unordered_report_faults();
}

bool driver_has_device(CUdevice device)
{
    return device == 0;
}

uint64_t driver_memory_bytes(void)
{
    uint64_t most = driver.profile->memory_bytes, wanted = driver.settings->memory_bytes;
    return wanted > 0 && wanted < most ? wanted : most;
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

/* Profilers attach to a GPU; the counters here are always on, so there is nothing to start or stop. */
CUresult cuProfilerStart(void)
{
    struct context *context;
    return driver_leave(driver_enter(&context));
}

CUresult cuProfilerStop(void)
{
    struct context *context;
    return driver_leave(driver_enter(&context));
}
