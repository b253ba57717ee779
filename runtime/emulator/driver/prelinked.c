#include "runtime/emulator/driver/prelinked.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/link_inputs.h"

/* The toolkit's fatbinary_section.h: of version 2, the last field is an array of fat binaries that ends in NULL. */
struct wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *prelinked;
};

#define WRAPPER_OF_LINKING 2
#define MOST_FILES         4096 /* a damaged array must end */

static CUresult link_all(const struct wrapper *wrapper, struct image *image, struct diagnostic *diagnostic)
{
    struct link_inputs inputs = {0};
    CUresult result = CUDA_SUCCESS;
    char name[32];
    for (size_t i = 0; wrapper->prelinked[i] && i < MOST_FILES && result == CUDA_SUCCESS; i++) {
        uint64_t bytes = image_fat_bytes(wrapper->prelinked[i]);
        snprintf(name, sizeof name, "file %zu of the program", i + 1);
        if (bytes > 0)
            result = link_inputs_add(&inputs, wrapper->prelinked[i], bytes, name, diagnostic);
    }
    if (result == CUDA_SUCCESS)
        result = link_inputs_complete(&inputs, diagnostic);
    if (result == CUDA_SUCCESS) {
        *image = (struct image){inputs.text, inputs.length, inputs.text};
        inputs.text = NULL;
    }
    link_inputs_clear(&inputs);
    return result;
}

CUresult prelinked_find_ptx(const void *data, size_t bytes, struct image *image, struct diagnostic *diagnostic)
{
    struct wrapper wrapper;
    if (bytes < sizeof wrapper || image_magic(data, bytes) != IMAGE_WRAPPER_MAGIC)
        return image_find_ptx(data, bytes, image, diagnostic);
    memcpy(&wrapper, data, sizeof wrapper);
    if (wrapper.version != WRAPPER_OF_LINKING || !wrapper.prelinked || !wrapper.prelinked[0])
        return image_find_ptx(data, bytes, image, diagnostic);
    return link_all(&wrapper, image, diagnostic);
}
