#include "runtime/emulator/driver/decompress.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/* The two functions that we call, as zstd.h and lz4.h declare them. */
typedef size_t zstd_decompress_fn(void *plain, size_t plain_bytes, const void *data, size_t bytes);
typedef int lz4_decompress_fn(const char *data, char *plain, int bytes, int plain_bytes);

static const struct {
    const char *file, *function, *package;
} libraries[] = {
    [COMPRESSION_ZSTANDARD] = {"libzstd.so.1", "ZSTD_decompress", "libzstd1"},
    [COMPRESSION_LZ4] = {"liblz4.so.1", "LZ4_decompress_safe", "liblz4-1"},
};

/* Is the result exactly what was promised? Both libraries report errors as other numbers. */
static bool run(enum compression method, void *function, const void *data, size_t bytes, size_t plain_bytes, char *plain)
{
    if (method == COMPRESSION_ZSTANDARD)
        return ((zstd_decompress_fn *)function)(plain, plain_bytes, data, bytes) == plain_bytes;
    if (bytes > INT_MAX || plain_bytes > INT_MAX)
        return false;
    return ((lz4_decompress_fn *)function)(data, plain, (int)bytes, (int)plain_bytes) == (int)plain_bytes;
}

CUresult decompress(enum compression method, const void *data, size_t bytes, size_t plain_bytes, char **plain,
                    struct diagnostic *diagnostic)
{
    *plain = NULL;
    void *library = dlopen(libraries[method].file, RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, libraries[method].function) : NULL;
    if (!function) {
        diagnostic_set(diagnostic, 0,
                       "the PTX in this fat binary is compressed, and %s is missing. Install it (Debian: "
                       "%s), or build with nvcc --no-compress.",
                       libraries[method].file, libraries[method].package);
        if (library)
            dlclose(library);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    char *text = malloc(plain_bytes + 1);
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (text) {
        text[plain_bytes] = '\0';
        result = run(method, function, data, bytes, plain_bytes, text) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
    }
    if (result == CUDA_ERROR_INVALID_IMAGE)
        diagnostic_set(diagnostic, 0, "this fat binary is damaged: its PTX cannot be decompressed.");
    if (result == CUDA_SUCCESS)
        *plain = text;
    else
        free(text);
    dlclose(library);
    return result;
}
