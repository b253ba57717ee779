/* What the parts of the runtime know about each other's handles. Internal to the runtime. */
#ifndef RUNTIME_HANDLES_H
#define RUNTIME_HANDLES_H

#include <stdbool.h>

#include "runtime/language/ptx/summary.h"
#include "runtime/library/driver.h"

struct lockstep_device {
    struct driver driver;
    CUdevice handle;
    CUcontext context; /* primary, retained */
    lockstep_device_info info;
    bool cooperative;          /* cooperative launches are supported */
    struct transfer *transfer; /* for large copies; NULL: none yet */
};

struct lockstep_buffer {
    lockstep_device *device;
    CUdeviceptr address;
    size_t bytes;
    char label[64];
};

struct lockstep_stream {
    lockstep_device *device;
    CUstream handle;
};

struct lockstep_event {
    lockstep_device *device;
    CUevent handle;
};

struct lockstep_kernel {
    lockstep_device *device;
    struct lockstep_kernel *next; /* of the module's */
    CUfunction handle;
    char *name; /* as in the source */
    lockstep_kernel_info info;
    uint32_t dynamic_shared_granted; /* bytes that a launch may currently ask for */
    const struct ptx_entry *entry;   /* the module's; what it does not know of parameters is not checked */
};

#endif
