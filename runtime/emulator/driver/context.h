/* Contexts: who owns allocations, modules, streams and events, and what is wrong with it since a kernel failed. All
 * functions expect the driver's lock to be held. */
#ifndef EMULATOR_CONTEXT_H
#define EMULATOR_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/launch.h"

enum { CONTEXT_LIMIT_COUNT = 7 };

struct context {
    CUcontext handle;
    bool primary;
    bool active;           /* the primary context between retain and release; always true for others */
    unsigned retain_count; /* primary: retains not yet released; others: attaches */
    unsigned flags;
    unsigned api_version;
    uint64_t id;
    CUresult failure;                   /* what the kernel that failed left behind: every later call returns it; 0 none */
    size_t limits[CONTEXT_LIMIT_COUNT]; /* by CUlimit, bytes */
    CUfunc_cache cache;
    CUsharedconfig shared_config;
};

/* The current context, if it can be used: see driver_enter. */
CUresult context_get_usable(struct context **context);

/* The context behind a handle; NULL when there is none. */
struct context *context_find(CUcontext handle);

/* Puts what a launch left behind into the context, and gives the code that the launching call itself returns. */
CUresult context_after_launch(struct context *context, enum launch_status status);

/* Makes a context other than the primary one; not current yet. NULL when the host is out of memory. */
struct context *context_create(unsigned flags);

/* Gives the limits and configurations their initial values. */
void context_set_defaults(struct context *context);

/* The device's primary context, active or not. NULL when the host is out of memory. */
struct context *context_get_primary(void);

#endif
