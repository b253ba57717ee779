/* Programs of several files (nvcc -rdc=true): the PTX of each is linked when the module is loaded. */
#ifndef EMULATOR_PRELINKED_H
#define EMULATOR_PRELINKED_H

#include "runtime/emulator/driver/image.h"

/* Finds the PTX in an image, as image_find_ptx does. nvcc's wrapper around what it has linked, machine code, also points to
 * the fat binaries that went into it: their PTX is linked, as cuLink… does. INVALID_SOURCE when a name is defined twice or
 * nowhere. */
CUresult prelinked_find_ptx(const void *data, size_t bytes, struct image *image, struct diagnostic *diagnostic);

#endif
