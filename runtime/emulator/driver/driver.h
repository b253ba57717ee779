/* What the entry points share: the devices, their lock, and the way in and out of every call.
 *
 * An entry point reads
 *     struct context *context;
 *     CUresult result = driver_enter(&context);
 *     if (result == CUDA_SUCCESS)
 *         result = do_the_work(context, ...);
 *     return driver_leave(result);
 * driver_leave must follow every driver_enter*, whatever that returned.
 */
#ifndef EMULATOR_DRIVER_H
#define EMULATOR_DRIVER_H

#include <stdbool.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/settings/profile.h"
#include "runtime/emulator/settings/settings.h"

struct context;

struct driver {
    bool initialised;
    const struct profile *profile;
    const struct settings *settings;
    struct memory *memory; /* one address space for all contexts of all devices */
};

/* The only instance; valid fields once `initialised`. */
extern struct driver driver;

/* Takes the lock and demands cuInit, a current context, and that no kernel of that context has failed.
 *   context   out: the current context
 * Returns NOT_INITIALIZED, INVALID_CONTEXT, CONTEXT_IS_DESTROYED or the failed kernel's code otherwise. */
CUresult driver_enter(struct context **context);

/* The same for a call that may wait for other work, as allocating does on a GPU: refused during captures that forbid it. */
CUresult driver_enter_unsafe(struct context **context);

/* Takes the lock and demands cuInit only. */
CUresult driver_enter_any(void);

/* Releases the lock. Returns `result`. */
CUresult driver_leave(CUresult result);

/* The lock alone, for a signal handler; and does this thread hold it? */
void driver_lock(void);
void driver_unlock(void);
bool driver_is_inside(void);

/* What else happens whenever a call has taken the lock, and before it releases it: set once, with the lock held. */
void driver_watch_calls(void (*entered)(void), void (*leaving)(void));

/* The same for what each call is about to return. */
void driver_watch_results(void (*ended)(CUresult result));

/* Runs a client's callback with the lock released: it may call into the driver. */
void driver_call_back(void (*function)(void *), void *data);

/* Is this the number of a device? */
bool driver_has_device(CUdevice device);

/* How many devices there are. */
int driver_device_count(void);

/* How much memory each device has: its profile's, or less (LOCKSTEP_MEMORY). */
uint64_t driver_memory_bytes(void);

#endif
