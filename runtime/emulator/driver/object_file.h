/* Host objects and archives, as nvcc -rdc=true and -lib make them: the fat binaries inside. */
#ifndef EMULATOR_OBJECT_FILE_H
#define EMULATOR_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/cuda/driver_api.h"

/* Is this an ELF object of the host, or an archive? A cubin, which is ELF for a GPU, is neither. */
bool object_file_is(const void *data, size_t bytes);
bool object_file_is_archive(const void *data, size_t bytes);

/* Calls `each` for every fat binary in the sections .nv_fatbin and __nv_relfatbin, of all members of an archive, until one
 * call fails. Returns its result, or INVALID_IMAGE when a length in the file is wrong. */
CUresult object_file_each_image(const void *data, size_t bytes,
                                CUresult (*each)(const void *image, size_t bytes, void *user), void *user);

#endif
