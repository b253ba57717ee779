/* Contexts: each owns allocations, modules, streams and events, and remembers a kernel's failure. All functions
 * expect the driver's lock to be held. */
#ifndef EMULATOR_CONTEXT_H
#define EMULATOR_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/launch.h"

enum { CONTEXT_LIMIT_COUNT = 7, STREAM_ATTRIBUTE_COUNT = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN + 1 };

struct context {
    CUcontext handle;
    CUdevice device;
    uint32_t peers; /* a bit for each device whose memory it was given access to (cuCtxEnablePeerAccess) */
    bool primary;
    bool active;           /* the primary context between retain and release; always true for others */
    unsigned retain_count; /* primary: retains not yet released; others: attaches */
    unsigned flags;
    unsigned api_version;
    uint64_t id;
    CUresult failure;                   /* the code that a failed kernel left: every later call returns it; 0 none */
    size_t limits[CONTEXT_LIMIT_COUNT]; /* by CUlimit, bytes */
    CUfunc_cache cache;
    CUsharedconfig shared_config;
    CUlaunchAttributeValue default_stream[STREAM_ATTRIBUTE_COUNT]; /* attributes of its default streams, by number */
};

/* The current context, if it can be used: see driver_enter. */
CUresult context_get_usable(struct context **context);

/* The context behind a handle; NULL when there is none. */
struct context *context_find(CUcontext handle);

/* Records a launch's result in the context, and returns the code for the launching call itself. */
CUresult context_after_launch(struct context *context, enum launch_status status);

/* Makes a context other than the primary one; it is not current yet. NULL when the host is out of memory. */
struct context *context_create(unsigned flags, CUdevice device);

/* Gives the limits and configurations their initial values. */
void context_set_defaults(struct context *context);

/* The primary context of a device, active or not. NULL when the host is out of memory. */
struct context *context_get_primary(CUdevice device);

#endif
