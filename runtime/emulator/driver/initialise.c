/* Entry point: cuInit, and what is reported when the process ends. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/call_place.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/host_fault.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/leak.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/driver/unchecked.h"
#include "runtime/emulator/driver/virtual_memory.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/observe/observers.h"

static void report_status(int status, void *unused)
{
    (void)unused;
    driver_enter_any();
    unchecked_report(status);
    driver_leave(CUDA_SUCCESS);
}

static void report_at_exit(void)
{
    driver_enter_any();
    late_abandon();
    leak_report(NULL);
    virtual_memory_report_leaks();
    observers_report();
    finding_summarise();
    driver_leave(CUDA_SUCCESS);
}

/* Opens now whatever this library opens by itself: a grader locks the process in before it loads a module. */
static void open_all_files(void)
{
    const void *origin[2];
    finding_open();
    observers_open();
    call_log_open();
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
    if (driver.settings->checks >= CHECKS_POISON) {
        on_exit(report_status, NULL); /* is called first, since it is registered last */
        call_place_begin();
    }
    driver.initialised = true;
    host_fault_watch();
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned flags)
{
    driver_enter_any(); /* it only takes the lock */
    return driver_leave(initialise(flags));
}
