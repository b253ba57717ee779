/* Texture and surface objects. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_TEXTURE_OBJECT_H
#define EMULATOR_TEXTURE_OBJECT_H

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/machine/texture.h"

struct context;

/* What the handle stands for in a kernel, a texture or a surface; NULL when it is not live. */
const struct texture *texture_object_find(uint64_t handle);

void texture_object_destroy_all(const struct context *context);

#endif
