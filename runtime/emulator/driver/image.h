/* What a client passes as a module: PTX text, or a container that may hold PTX text. */
#ifndef EMULATOR_IMAGE_H
#define EMULATOR_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/diagnostic.h"
#include "runtime/cuda/driver_api.h"

/* How nvcc's wrapper around a fat binary, and the fat binary, begin. */
#define IMAGE_WRAPPER_MAGIC UINT32_C(0x466243b1)
#define IMAGE_FAT_MAGIC     UINT32_C(0xba55ed50)

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

/* The first four bytes, as far as they may be read: a text may be as short as its NUL. */
uint32_t image_magic(const void *data, size_t bytes);

/* Bytes of a fat binary, by its header of 16 bytes. 0: it does not begin as one. */
uint64_t image_fat_bytes(const void *binary);

/* Frees what image_find_ptx allocated. */
void image_clear(struct image *image);

/* Reads a whole file and appends a NUL. The caller frees *data. FILE_NOT_FOUND, OUT_OF_MEMORY, or INVALID_SOURCE when
 * it cannot be read. */
CUresult image_read_file(const char *path, char **data, size_t *bytes, struct diagnostic *diagnostic);

#endif
