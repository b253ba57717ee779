#include "runtime/emulator/driver/driver.h"

#include <pthread.h>

#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/context_stack.h"
#include "runtime/emulator/driver/entry_points.h"

/* The version of the API that the driver speaks: CUDA 13.0. */
#define DRIVER_VERSION 13000

struct driver driver;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool is_inside;
static void (*call_entered)(void), (*call_leaving)(void); /* NULL: nothing */
static void (*call_ended)(CUresult result);

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

void driver_watch_calls(void (*entered)(void), void (*leaving)(void))
{
    call_entered = entered;
    call_leaving = leaving;
}

void driver_watch_results(void (*ended)(CUresult result))
{
    call_ended = ended;
}

static void enter(void)
{
    driver_lock();
    if (call_entered)
        call_entered();
}

static void leave(void)
{
    if (call_leaving)
        call_leaving();
    driver_unlock();
}

CUresult driver_enter_any(void)
{
    enter();
    if (!driver.initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    const struct context *current = context_find(context_stack_top());
    memory_choose_device(driver.memory, current ? (unsigned)current->device : 0);
    return CUDA_SUCCESS;
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
    if (call_ended)
        call_ended(result);
    leave();
    return result;
}

void driver_call_back(void (*function)(void *), void *data)
{
    unsigned device = memory_chosen_device(driver.memory);
    leave();
    function(data);
    enter();
    memory_choose_device(driver.memory, device);
}

bool driver_has_device(CUdevice device)
{
    return device >= 0 && device < driver_device_count();
}

int driver_device_count(void)
{
    return (int)driver.settings->devices;
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
