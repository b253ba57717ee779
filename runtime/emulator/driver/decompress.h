/* Decompression of what nvcc puts into fat binaries, by the system's own libraries. They are loaded when first needed,
 * since few programs need them: libzstd.so.1 for nvcc 12.8 and later, liblz4.so.1 for older versions. */
#ifndef EMULATOR_DECOMPRESS_H
#define EMULATOR_DECOMPRESS_H

#include <stddef.h>

#include "runtime/base/diagnostic.h"
#include "runtime/cuda/driver_api.h"

enum compression { COMPRESSION_ZSTANDARD, COMPRESSION_LZ4 };

/* Decompresses a whole block.
 *   data    [bytes] compressed
 *   plain   out: [plain_bytes] and a NUL; the caller frees it; NULL on failure
 * Returns INVALID_IMAGE when the data is damaged, NO_BINARY_FOR_GPU when the library is missing, OUT_OF_MEMORY; the
 * diagnostic says what to do. */
CUresult decompress(enum compression method, const void *data, size_t bytes, size_t plain_bytes, char **plain,
                    struct diagnostic *diagnostic);

#endif
