/* The inputs of a link, and their merging: behind cuLink… and, without a context, behind libnvJitLink (stand_ins/). */
#ifndef EMULATOR_LINK_INPUTS_H
#define EMULATOR_LINK_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/base/diagnostic.h"
#include "runtime/cuda/driver_api.h"

struct ptx_input;

struct link_inputs {
    struct ptx_input *inputs; /* [count], modules and names are owned */
    size_t count;
    bool failed;   /* two inputs define one name */
    char *text;    /* the linked PTX with a NUL; NULL before completion */
    size_t length; /* without the NUL */
};

/* Adds the PTX of an image: PTX text, a fat binary, or a host object or archive that holds fat binaries. An archive without
 * any adds nothing; nor does NVIDIA's device runtime (libcudadevrt.a), which device_runtime.h replaces. Data is copied;
 * `name` is for messages.
 * INVALID_PTX, INVALID_IMAGE, NO_BINARY_FOR_GPU, INVALID_SOURCE when a name is defined twice: the diagnostic says why. */
CUresult link_inputs_add(struct link_inputs *inputs, const void *data, size_t bytes, const char *name,
                         struct diagnostic *diagnostic);

/* Merges the inputs, and the device runtime where one calls it, into `text`. INVALID_SOURCE when a name is defined nowhere or twice. */
CUresult link_inputs_complete(struct link_inputs *inputs, struct diagnostic *diagnostic);

void link_inputs_clear(struct link_inputs *inputs);

#endif
