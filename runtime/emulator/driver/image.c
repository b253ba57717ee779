#include "runtime/emulator/driver/image.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Layout of fat binaries, as cuobjdump shows it: a header, then entries, each with a header of its own. All fields are
 * little-endian; both headers carry their length, so that later fields do not matter. */
#define FAT_WRAPPER_MAGIC UINT32_C(0x466243b1)   /* nvcc's wrapper: magic, version, pointer to the binary */
#define FAT_MAGIC UINT32_C(0xba55ed50)
#define FAT_KIND_PTX 1
#define FAT_FLAGS_COMPRESSED UINT64_C(0xa000)   /* LZ4, Zstandard */

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
};

#define PASS_PTX "Pass PTX text instead: nvcc -ptx, or nvrtcGetPTX with --gpu-architecture=compute_80."

static CUresult find_in_fat_binary(const uint8_t *data, size_t bytes, struct image *image, struct diagnostic *diagnostic)
{
    struct fat_header header;
    if (bytes < sizeof header)
        goto damaged;
    memcpy(&header, data, sizeof header);
    if (header.header_bytes < sizeof header || header.header_bytes > bytes ||
        (bytes != SIZE_MAX && header.content_bytes > bytes - header.header_bytes))
        goto damaged;
    const uint8_t *at = data + header.header_bytes;
    uint64_t left = header.content_bytes;
    int compressed = 0;
    while (left >= sizeof(struct fat_entry)) {
        struct fat_entry entry;
        memcpy(&entry, at, sizeof entry);
        if (entry.header_bytes < sizeof entry || entry.header_bytes > left ||
            entry.content_bytes > left - entry.header_bytes)
            goto damaged;
        if (entry.kind == FAT_KIND_PTX && (entry.flags & FAT_FLAGS_COMPRESSED || entry.compressed_bytes != 0)) {
            compressed = 1;
        } else if (entry.kind == FAT_KIND_PTX) {
            *image = (struct image){(const char *)at + entry.header_bytes, entry.content_bytes};
            return CUDA_SUCCESS;
        }
        at += entry.header_bytes + entry.content_bytes;
        left -= entry.header_bytes + entry.content_bytes;
    }
    diagnostic_set(diagnostic, 0, "%s",
                   compressed ? "the PTX in this fat binary is compressed. Build it with nvcc --no-compress, or pass PTX."
                              : "this fat binary holds no PTX. Build it with -gencode arch=compute_80,code=compute_80.");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
damaged:
    diagnostic_set(diagnostic, 0, "this fat binary is damaged: a length in it is wrong.");
    return CUDA_ERROR_INVALID_IMAGE;
}

static uint32_t read_magic(const uint8_t *data, size_t bytes)
{
    /* an image of unknown length may be as short as its NUL */
    uint32_t magic = 0;
    for (size_t i = 0; i < sizeof magic && i < bytes; i++) {
        magic |= (uint32_t)data[i] << 8 * i;
        if (data[i] == 0)
            break;
    }
    return magic;
}

CUresult image_find_ptx(const void *data, size_t bytes, struct image *image, struct diagnostic *diagnostic)
{
    const uint8_t *start = data;
    uint32_t magic = read_magic(start, bytes);
    if (magic == FAT_WRAPPER_MAGIC && bytes >= 16) {
        const uint8_t *inner;
        memcpy(&inner, start + 8, sizeof inner);
        if (!inner || read_magic(inner, SIZE_MAX) != FAT_MAGIC) {
            diagnostic_set(diagnostic, 0, "this fat binary's wrapper does not point to a fat binary.");
            return CUDA_ERROR_INVALID_IMAGE;
        }
        return find_in_fat_binary(inner, SIZE_MAX, image, diagnostic);
    }
    if (magic == FAT_MAGIC)
        return find_in_fat_binary(start, bytes, image, diagnostic);
    if (magic == UINT32_C(0x464c457f)) {   /* "\177ELF" */
        diagnostic_set(diagnostic, 0, "this is a cubin (machine code for one GPU), which only a GPU can run. " PASS_PTX);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (magic == UINT32_C(0xdec04342) || magic == UINT32_C(0x1ee55a01)) {   /* LLVM bitcode, NVVM container */
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
    *image = (struct image){data, length};
    return CUDA_SUCCESS;
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
    text[length] = '\0';   /* the loop ends with room for it */
    *data = text;
    *bytes = length;
    return CUDA_SUCCESS;
}
