/* Looks for a device without letting a driver into the grader's own process. */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lockstep.h"

/* Opens a device in a child and says what it is. Returns false, with the reason and what to do in message, when there is none. */
bool probe_device(lockstep_device_kind kind, lockstep_device_info *info, char *message, size_t message_bytes);

#endif
