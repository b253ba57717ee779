/* What a client passes as a module: PTX text, or a container that may hold PTX text. */
#ifndef EMULATOR_IMAGE_H
#define EMULATOR_IMAGE_H

#include <stddef.h>

#include "runtime/base/diagnostic.h"
#include "runtime/cuda/driver_api.h"

struct image {
    const char *text; /* PTX, inside what the client passed or in `owned` */
    size_t length;    /* bytes, without a NUL */
    char *owned;      /* decompressed text; NULL: none */
};

/* Finds the PTX in an image.
 *   data    borrowed; PTX text must end in NUL, containers give their own length
 *   bytes   how much may be read; SIZE_MAX when unknown, as for cuModuleLoadData
 * Accepts PTX text and fat binaries (bare or in nvcc's wrapper) with PTX, compressed or not. Of several PTX entries, takes
 * the newest that the device could run, else the oldest. Refuses cubins, host object files and NVVM code with NO_BINARY_FOR_GPU, and anything
 * else that is not text with INVALID_IMAGE; the diagnostic says what to pass instead. */
CUresult image_find_ptx(const void *data, size_t bytes, struct image *image, struct diagnostic *diagnostic);

/* Frees what image_find_ptx allocated. */
void image_clear(struct image *image);

/* Reads a whole file and appends a NUL. The caller frees *data. FILE_NOT_FOUND, OUT_OF_MEMORY, or INVALID_SOURCE when
 * it cannot be read. */
CUresult image_read_file(const char *path, char **data, size_t *bytes, struct diagnostic *diagnostic);

#endif
