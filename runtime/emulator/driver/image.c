#include "runtime/emulator/driver/image.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/decompress.h"
#include "runtime/emulator/driver/driver.h"

/* Layout of fat binaries, as cuobjdump shows it: a header, then entries, each with a header of its own. All fields are
 * little-endian; both headers carry their length, so that later fields do not matter. */
#define FAT_KIND_PTX       1
#define FAT_FLAG_LZ4       UINT64_C(0x2000)
#define FAT_FLAG_ZSTANDARD UINT64_C(0x8000)

struct fat_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t content_bytes;
};

struct fat_entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t content_bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t minor, major;
    uint32_t architecture;
    uint32_t name_offset, name_bytes;
    uint64_t flags;
    uint64_t reserved;
    uint64_t plain_bytes; /* of compressed entries: size once decompressed */
};

/* No compiler writes this much PTX; a damaged length must not make us allocate all memory. */
#define PLAIN_BYTES_LIMIT (UINT64_C(1) << 30)

#define PASS_PTX "Pass PTX text instead: nvcc -ptx, or nvrtcGetPTX with --gpu-architecture=compute_80."

/* A driver takes the newest PTX that is not newer than the device. Without any, ours takes the oldest: what it needs of the
 * newer device is refused where it is used. */
static bool is_better(uint32_t architecture, uint32_t best)
{
    uint32_t device = driver.profile ? (uint32_t)(driver.profile->major * 10 + driver.profile->minor) : UINT32_MAX;
    bool fits = architecture <= device, best_fits = best <= device;
    return fits != best_fits ? fits : fits ? architecture > best : architecture < best;
}

static CUresult find_in_fat_binary(const uint8_t *data, size_t bytes, struct image *image, struct diagnostic *diagnostic)
{
    struct fat_header header;
    if (bytes < sizeof header)
        goto damaged;
    memcpy(&header, data, sizeof header);
    if (header.header_bytes < sizeof header || header.header_bytes > bytes
        || (bytes != SIZE_MAX && header.content_bytes > bytes - header.header_bytes))
        goto damaged;
    const uint8_t *at = data + header.header_bytes, *best_content = NULL;
    uint64_t left = header.content_bytes;
    struct fat_entry best = {0};
    while (left >= sizeof(struct fat_entry)) {
        struct fat_entry entry;
        memcpy(&entry, at, sizeof entry);
        if (entry.header_bytes < sizeof entry || entry.header_bytes > left
            || entry.content_bytes > left - entry.header_bytes)
            goto damaged;
        if (entry.kind == FAT_KIND_PTX && (!best_content || is_better(entry.architecture, best.architecture))) {
            best = entry;
            best_content = at + entry.header_bytes;
        }
        at += entry.header_bytes + entry.content_bytes;
        left -= entry.header_bytes + entry.content_bytes;
    }
    if (!best_content) {
        diagnostic_set(diagnostic, 0,
                       "this fat binary holds no PTX. Build it with -gencode arch=compute_80,code=compute_80, or have its "
                       "own build do so: `lockstep exec -- cmake --build FOLDER`, or make.");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (best.flags & (FAT_FLAG_LZ4 | FAT_FLAG_ZSTANDARD)) {
        if (best.compressed_bytes > best.content_bytes || best.plain_bytes == 0 || best.plain_bytes > PLAIN_BYTES_LIMIT)
            goto damaged;
        enum compression method = best.flags & FAT_FLAG_LZ4 ? COMPRESSION_LZ4 : COMPRESSION_ZSTANDARD;
        CUresult result = decompress(method, best_content, best.compressed_bytes, best.plain_bytes, &image->owned,
                                     diagnostic);
        *image = (struct image){image->owned, result == CUDA_SUCCESS ? best.plain_bytes : 0, image->owned};
        return result;
    }
    *image = (struct image){(const char *)best_content, best.content_bytes, NULL};
    return CUDA_SUCCESS;
damaged:
    diagnostic_set(diagnostic, 0, "this fat binary is damaged: a length in it is wrong.");
    return CUDA_ERROR_INVALID_IMAGE;
}

uint32_t image_magic(const void *data, size_t bytes)
{
    const uint8_t *start = data;
    uint32_t magic = 0;
    for (size_t i = 0; i < sizeof magic && i < bytes; i++) {
        magic |= (uint32_t)start[i] << 8 * i;
        if (start[i] == 0)
            break;
    }
    return magic;
}

uint64_t image_fat_bytes(const void *binary)
{
    struct fat_header header;
    memcpy(&header, binary, sizeof header);
    return header.magic == IMAGE_FAT_MAGIC ? header.header_bytes + header.content_bytes : 0;
}

CUresult image_find_ptx(const void *data, size_t bytes, struct image *image, struct diagnostic *diagnostic)
{
    const uint8_t *start = data;
    uint32_t magic = image_magic(start, bytes);
    *image = (struct image){0};
    if (magic == IMAGE_WRAPPER_MAGIC && bytes >= 16) {
        const uint8_t *inner;
        memcpy(&inner, start + 8, sizeof inner);
        if (!inner || image_magic(inner, SIZE_MAX) != IMAGE_FAT_MAGIC) {
            diagnostic_set(diagnostic, 0, "this fat binary's wrapper does not point to a fat binary.");
            return CUDA_ERROR_INVALID_IMAGE;
        }
        return find_in_fat_binary(inner, SIZE_MAX, image, diagnostic);
    }
    if (magic == IMAGE_FAT_MAGIC)
        return find_in_fat_binary(start, bytes, image, diagnostic);
    if (magic == UINT32_C(0x464c457f)) { /* "\177ELF" */
        diagnostic_set(diagnostic, 0, "this is a cubin (machine code for one GPU), which only a GPU can run. " PASS_PTX);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (magic == UINT32_C(0xdec04342) || magic == UINT32_C(0x1ee55a01)) { /* LLVM bitcode, NVVM container */
        diagnostic_set(diagnostic, 0, "this is NVVM code for link-time optimisation. " PASS_PTX);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    size_t length = strnlen(data, bytes);
    for (size_t i = 0; i < length && i < sizeof magic; i++) {
        if (start[i] < 0x20 ? !strchr("\t\n\v\f\r", start[i]) : start[i] >= 0x7f) {
            diagnostic_set(diagnostic, 0, "this is neither PTX text nor a container that holds any. " PASS_PTX);
            return CUDA_ERROR_INVALID_IMAGE;
        }
    }
    if (length == 0) {
        diagnostic_set(diagnostic, 0, "the image is empty. " PASS_PTX);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *image = (struct image){data, length, NULL};
    return CUDA_SUCCESS;
}

void image_clear(struct image *image)
{
    free(image->owned);
    *image = (struct image){0};
}

CUresult image_read_file(const char *path, char **data, size_t *bytes, struct diagnostic *diagnostic)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        diagnostic_set(diagnostic, 0, "cannot open %s: %s", path, strerror(errno));
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    size_t length = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    while (text) {
        length += fread(text + length, 1, capacity - length, file);
        if (length < capacity)
            break;
        char *grown = realloc(text, capacity *= 2);
        if (!grown)
            free(text);
        text = grown;
    }
    int failed = ferror(file);
    fclose(file);
    if (!text || failed) {
        diagnostic_set(diagnostic, 0, text ? "cannot read %s" : "out of memory while reading %s", path);
        free(text);
        return text ? CUDA_ERROR_INVALID_SOURCE : CUDA_ERROR_OUT_OF_MEMORY;
    }
    text[length] = '\0'; /* the loop ends with room for it */
    *data = text;
    *bytes = length;
    return CUDA_SUCCESS;
}
