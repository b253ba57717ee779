#include "runtime/emulator/driver/object_file.h"

#include <ar.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/image.h"

typedef CUresult each_fn(const void *image, size_t bytes, void *user);

bool object_file_is_archive(const void *data, size_t bytes)
{
    return bytes != SIZE_MAX && bytes >= SARMAG && memcmp(data, ARMAG, SARMAG) == 0;
}

static bool is_elf(const uint8_t *data, size_t bytes, Elf64_Ehdr *header)
{
    if (bytes == SIZE_MAX || bytes < sizeof *header || memcmp(data, ELFMAG, SELFMAG) != 0)
        return false;
    memcpy(header, data, sizeof *header);
    return header->e_ident[EI_CLASS] == ELFCLASS64 && (header->e_machine == EM_X86_64 || header->e_machine == EM_AARCH64);
}

bool object_file_is(const void *data, size_t bytes)
{
    Elf64_Ehdr header;
    return object_file_is_archive(data, bytes) || is_elf(data, bytes, &header);
}

/* A section may hold several fat binaries, one after the other, each with its length in its header. */
static CUresult each_of_section(const uint8_t *data, size_t bytes, each_fn *each, void *user)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t at = 0; at + 16 <= bytes && result == CUDA_SUCCESS;) {
        uint64_t length = image_fat_bytes(data + at);
        if (length == 0) { /* padding */
            at += 8;
            continue;
        }
        if (length < 16 || length > bytes - at)
            return CUDA_ERROR_INVALID_IMAGE;
        result = each(data + at, length, user);
        at += length;
    }
    return result;
}

static CUresult each_of_elf(const uint8_t *data, size_t bytes, each_fn *each, void *user)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, section;
    if (!is_elf(data, bytes, &header))
        return CUDA_SUCCESS; /* another machine's, or no object */
    if (header.e_shnum == 0)
        return CUDA_SUCCESS;
    if (header.e_shentsize != sizeof section || header.e_shoff > bytes
        || (bytes - header.e_shoff) / sizeof section < header.e_shnum || header.e_shstrndx >= header.e_shnum)
        return CUDA_ERROR_INVALID_IMAGE;
    memcpy(&names, data + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    if (names.sh_offset > bytes || names.sh_size > bytes - names.sh_offset || names.sh_size == 0
        || data[names.sh_offset + names.sh_size - 1] != '\0')
        return CUDA_ERROR_INVALID_IMAGE;
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; i < header.e_shnum && result == CUDA_SUCCESS; i++) {
        memcpy(&section, data + header.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type == SHT_NOBITS || section.sh_name >= names.sh_size)
            continue;
        const char *name = (const char *)data + names.sh_offset + section.sh_name;
        if (strcmp(name, ".nv_fatbin") != 0 && strcmp(name, "__nv_relfatbin") != 0)
            continue;
        if (section.sh_offset > bytes || section.sh_size > bytes - section.sh_offset)
            return CUDA_ERROR_INVALID_IMAGE;
        result = each_of_section(data + section.sh_offset, section.sh_size, each, user);
    }
    return result;
}

CUresult object_file_each_image(const void *data, size_t bytes, each_fn *each, void *user)
{
    const uint8_t *start = data;
    if (!object_file_is_archive(data, bytes))
        return each_of_elf(start, bytes, each, user);
    CUresult result = CUDA_SUCCESS;
    for (size_t at = SARMAG; at + sizeof(struct ar_hdr) <= bytes && result == CUDA_SUCCESS;) {
        struct ar_hdr member;
        char digits[sizeof member.ar_size + 1] = "";
        memcpy(&member, start + at, sizeof member);
        memcpy(digits, member.ar_size, sizeof member.ar_size);
        size_t length = strtoul(digits, NULL, 10);
        at += sizeof member;
        if (memcmp(member.ar_fmag, ARFMAG, 2) != 0 || length > bytes - at)
            return CUDA_ERROR_INVALID_IMAGE;
        result = each_of_elf(start + at, length, each, user);
        at += length + length % 2;
    }
    return result;
}
