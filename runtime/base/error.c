#include "runtime/base/error.h"

#include <stdarg.h>
#include <stdio.h>

lockstep_status error_set(lockstep_error *error, lockstep_status status, const char *call, const char *remedy,
                          const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    error->cuda_result = 0;
    snprintf(error->call, sizeof error->call, "%s", call);
    snprintf(error->remedy, sizeof error->remedy, "%s", remedy ? remedy : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

lockstep_status error_host_memory(lockstep_error *error, const char *call, size_t bytes)
{
    return error_set(error, LOCKSTEP_OUT_OF_MEMORY, call, "Close other programs, or work on less data at once.",
                     "this computer does not have %zu bytes of free memory", bytes);
}

void lockstep_error_format(const lockstep_error *error, char *text, size_t text_bytes)
{
    if (text_bytes == 0)
        return;
    const char *name = lockstep_status_name(error->status);
    if (error->remedy[0])
        snprintf(text, text_bytes, "%s: %s: %s (%s)", name, error->call, error->message, error->remedy);
    else
        snprintf(text, text_bytes, "%s: %s: %s", name, error->call, error->message);
}

const char *lockstep_status_name(lockstep_status status)
{
    static const char *const names[] = {
        [LOCKSTEP_OK] = "LOCKSTEP_OK",
        [LOCKSTEP_INVALID_ARGUMENT] = "LOCKSTEP_INVALID_ARGUMENT",
        [LOCKSTEP_NO_DRIVER] = "LOCKSTEP_NO_DRIVER",
        [LOCKSTEP_NO_DEVICE] = "LOCKSTEP_NO_DEVICE",
        [LOCKSTEP_NO_COMPILER] = "LOCKSTEP_NO_COMPILER",
        [LOCKSTEP_COMPILE_ERROR] = "LOCKSTEP_COMPILE_ERROR",
        [LOCKSTEP_NOT_FOUND] = "LOCKSTEP_NOT_FOUND",
        [LOCKSTEP_OUT_OF_MEMORY] = "LOCKSTEP_OUT_OF_MEMORY",
        [LOCKSTEP_LAUNCH_REFUSED] = "LOCKSTEP_LAUNCH_REFUSED",
        [LOCKSTEP_KERNEL_FAULT] = "LOCKSTEP_KERNEL_FAULT",
        [LOCKSTEP_DRIVER_ERROR] = "LOCKSTEP_DRIVER_ERROR",
        [LOCKSTEP_IO_ERROR] = "LOCKSTEP_IO_ERROR",
    };
    size_t index = (size_t)status;
    return index < sizeof names / sizeof names[0] ? names[index] : "unknown status";
}
