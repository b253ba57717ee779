/* Filling a lockstep_error. Internal to the runtime; the public side is in lockstep.h. */
#ifndef RUNTIME_ERROR_H
#define RUNTIME_ERROR_H

#include "runtime/lockstep.h"

/* Describes a failure and returns `status`.
 *   error    the record to fill; with NULL only the status is returned
 *   call     the call that failed or would have failed: "cuMemAlloc", "dlopen"
 *   remedy   what to do about it; NULL when nothing sensible can be said
 *   format   printf-style: what happened, to what
 * cuda_result is set to 0; a caller that has one sets it afterwards. */
lockstep_status error_set(lockstep_error *error, lockstep_status status, const char *call, const char *remedy,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same for a failed allocation of host memory. */
lockstep_status error_host_memory(lockstep_error *error, const char *call, size_t bytes);

#endif
