#include "runtime/emulator/driver/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/leak.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/observe/counters/observe.h"
#include "runtime/emulator/observe/races/race_need.h"
#include "runtime/emulator/observe/record/tracer.h"

/* The version of the API that the driver speaks: CUDA 13.0. */
#define DRIVER_VERSION 13000

struct driver driver;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult driver_enter_any(void)
{
    pthread_mutex_lock(&lock);
    return driver.initialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult driver_enter(struct context **context)
{
    CUresult result = driver_enter_any();
    return result == CUDA_SUCCESS ? context_get_usable(context) : result;
}

CUresult driver_leave(CUresult result)
{
    pthread_mutex_unlock(&lock);
    return result;
}

void driver_call_back(void (*function)(void *), void *data)
{
    pthread_mutex_unlock(&lock);
    function(data);
    pthread_mutex_lock(&lock);
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

static void report_at_exit(void)
{
    pthread_mutex_lock(&lock);
    leak_report(NULL);
    need_report();
    finding_summarise();
    pthread_mutex_unlock(&lock);
}

/* Opens now whatever this library opens by itself: a grader locks the process in before it loads a module. */
static void open_all_files(void)
{
    const void *origin[2];
    finding_open();
    observe_open();
    tracer_open();
    origin_find(origin); /* the C library loads the unwinder when it is first asked for a stack */
}

static CUresult initialise(unsigned flags)
{
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (driver.initialised)
        return CUDA_SUCCESS;
    driver.profile = profile_from_environment();
    if (!driver.profile) {
        fprintf(stderr, "lockstep: LOCKSTEP_GPU=%s names no device; choose 7.5, 8.0, 8.6 or 9.0\n", getenv("LOCKSTEP_GPU"));
        return CUDA_ERROR_NO_DEVICE;
    }
    driver.settings = settings_get();
    open_all_files();
    driver.memory = memory_create(driver_memory_bytes(), driver.settings->checks >= CHECKS_POISON);
    if (!driver.memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (driver.settings->checks > CHECKS_NONE && atexit(report_at_exit) != 0)
        fprintf(stderr, "lockstep: leaks will not be reported: atexit failed\n");
    driver.initialised = true;
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned flags)
{
    pthread_mutex_lock(&lock);
    return driver_leave(initialise(flags));
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
