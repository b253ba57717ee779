/* Looks for a device or the compiler without letting either into the grader's own process: NVRTC opens the GPU's driver,
 * and a process that has met it cannot fork children that use it. */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lockstep.h"

/* Opens a device in a child and says what it is. Returns false, with the reason and what to do in message, when there is
 * none. */
bool probe_device(lockstep_device_kind kind, lockstep_device_info *info, char *message, size_t message_bytes);

/* Finds NVRTC in a child: version 1300 for 13.0, and the path it was loaded from. Returns false with the reason in message.
 */
bool probe_compiler(int *version, char *path, size_t path_bytes, char *message, size_t message_bytes);

#endif
