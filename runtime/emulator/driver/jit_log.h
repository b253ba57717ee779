/* The options of module loading and linking: where the caller wants the logs, and how they are written. */
#ifndef EMULATOR_JIT_LOG_H
#define EMULATOR_JIT_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/diagnostic.h"
#include "runtime/cuda/driver_api.h"

struct jit_log {
    char *error, *info;             /* caller's buffers; NULL when not asked for */
    size_t error_bytes, info_bytes; /* their sizes */
    void **error_size, **info_size; /* option values to overwrite with the bytes filled in; NULL */
    void **wall_time;               /* option value to overwrite with a float, milliseconds; NULL */
};

/* Reads the options. Returns INVALID_VALUE for an unknown one or missing arrays; options that steer code generation are
 * accepted and change nothing. */
CUresult jit_log_read(unsigned option_count, const CUjit_option *options, void **values, struct jit_log *log);

/* Writes the outcome: on failure "line 12: reason" into the error log, or to stderr when the caller gave none; on
 * success a short note into the info log.
 *   call   name of the entry point */
void jit_log_write(const struct jit_log *log, const char *call, CUresult result, const struct diagnostic *diagnostic,
                   double elapsed_ms);

#endif
