#include "runtime/emulator/stand_ins/stripped_runtime.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A string with a name of the library's, by its address. */
struct name {
    uint64_t address;
    uint32_t offset; /* in the file */
};

/* Where the parts of a file are; addresses are those of the file. */
struct stripped {
    const char *file;
    const Elf64_Shdr *code, *data, *frames; /* .text, .rodata, .eh_frame_hdr */
    const int32_t *starts;                  /* of functions: pairs, the first relative to `frames`; sorted */
    size_t start_count;
    struct name *names; /* sorted */
    size_t name_count;
};

static bool find_parts(const struct built_in_symbols *symbols, struct stripped *stripped)
{
    int count;
    const char *file = symbols->file;
    const Elf64_Shdr *sections = built_in_sections(file, symbols->file_bytes, &count);
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    *stripped = (struct stripped){.file = file};
    if (!sections || header->e_shstrndx >= count || !built_in_holds(&sections[header->e_shstrndx], symbols->file_bytes))
        return false;
    const Elf64_Shdr *words = &sections[header->e_shstrndx];
    for (int i = 0; i < count; i++) {
        const Elf64_Shdr *section = &sections[i];
        if (section->sh_name >= words->sh_size || !built_in_holds(section, symbols->file_bytes))
            continue;
        const char *name = file + words->sh_offset + section->sh_name;
        size_t room = words->sh_size - section->sh_name;
        if (section->sh_type == SHT_SYMTAB || strncmp(name, ".nv_fatbin", room) == 0)
            return false;
        if (strncmp(name, ".text", room) == 0)
            stripped->code = section;
        else if (strncmp(name, ".rodata", room) == 0)
            stripped->data = section;
        else if (strncmp(name, ".eh_frame_hdr", room) == 0)
            stripped->frames = section;
    }
    return stripped->code && stripped->data && stripped->frames;
}

/* The table that unwinders search: 4 bytes of encodings, where .eh_frame is, how many functions there are, where each starts
 * and where its entry is ("Linux Standard Base, .eh_frame_hdr"). */
static bool find_starts(struct stripped *stripped)
{
    enum { HEADER_BYTES = 12, PAIR_BYTES = 8 };
    static const unsigned char usual[] = {1, 0x1b, 0x03, 0x3b};
    const char *table = stripped->file + stripped->frames->sh_offset;
    uint32_t count;
    if (stripped->frames->sh_size < HEADER_BYTES || memcmp(table, usual, sizeof usual) != 0)
        return false;
    memcpy(&count, table + 8, sizeof count);
    stripped->starts = (const int32_t *)(table + HEADER_BYTES);
    stripped->start_count = count;
    return count > 0 && (stripped->frames->sh_size - HEADER_BYTES) / PAIR_BYTES >= count;
}

static uint64_t start_of(const struct stripped *stripped, size_t at)
{
    return stripped->frames->sh_addr + (uint64_t)(int64_t)stripped->starts[2 * at];
}

/* The function whose code holds the address: the last that starts there or before. */
static size_t function_at(const struct stripped *stripped, uint64_t address)
{
    size_t low = 0, high = stripped->start_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (start_of(stripped, middle) <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool find_names(struct stripped *stripped, bool (*is_wanted)(const char *name))
{
    const char *first = stripped->file + stripped->data->sh_offset, *end = first + stripped->data->sh_size, *at = first;
    size_t capacity = 1024;
    stripped->names = malloc(capacity * sizeof *stripped->names);
    while (stripped->names && (at = memmem(at, (size_t)(end - at), "cuda", 4))) {
        if (memchr(at, '\0', (size_t)(end - at)) && is_wanted(at)) {
            if (stripped->name_count == capacity) {
                struct name *grown = realloc(stripped->names, (capacity *= 2) * sizeof *grown);
                if (!grown)
                    return false;
                stripped->names = grown;
            }
            stripped->names[stripped->name_count++] = (struct name){stripped->data->sh_addr + (uint64_t)(at - first),
                                                                    (uint32_t)(at - stripped->file)};
        }
        at += 4;
    }
    return stripped->names != NULL;
}

static const struct name *name_at(const struct stripped *stripped, uint64_t address)
{
    size_t low = 0, high = stripped->name_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stripped->names[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < stripped->name_count && stripped->names[low].address == address ? &stripped->names[low] : NULL;
}

/* For each function the name that it refers to: found[function].st_name, an offset in the file; 0: none. MANY: several. */
enum { MANY = UINT32_MAX };

/* `lea name(%rip), register` is 48 or 4c, 8d, a byte that names the register, and the distance. */
static void find_references(const struct stripped *stripped, Elf64_Sym *found)
{
    enum { LEA_BYTES = 7 };
    const unsigned char *code = (const unsigned char *)stripped->file + stripped->code->sh_offset;
    for (uint64_t at = 0; at + LEA_BYTES <= stripped->code->sh_size; at++) {
        if ((code[at] & 0xfb) != 0x48 || code[at + 1] != 0x8d || (code[at + 2] & 0xc7) != 0x05)
            continue;
        int32_t distance;
        memcpy(&distance, code + at + 3, sizeof distance);
        uint64_t address = stripped->code->sh_addr + at;
        const struct name *name = name_at(stripped, address + LEA_BYTES + (uint64_t)(int64_t)distance);
        Elf64_Sym *symbol = name ? &found[function_at(stripped, address)] : NULL;
        if (!symbol)
            continue;
        bool is_other = symbol->st_name == MANY
                        || (symbol->st_name != 0
                            && strcmp(stripped->file + symbol->st_name, stripped->file + name->offset) != 0);
        symbol->st_name = is_other ? (uint32_t)MANY : name->offset;
    }
}

/* Other code of the file may refer to a name as well, to look for the function of another library. The library's own functions
 * lie together: between the first and the last that is the only one of its name. */
static size_t keep_unique(const struct stripped *stripped, Elf64_Sym *found)
{
    size_t first = stripped->start_count, last = 0, kept = 0;
    bool *is_shared = calloc(stripped->start_count, sizeof *is_shared);
    for (size_t i = 0; is_shared && i < stripped->start_count; i++) {
        bool has_name = found[i].st_name != 0 && found[i].st_name != MANY;
        for (size_t k = 0; has_name && k < stripped->start_count && !is_shared[i]; k++)
            is_shared[i] = k != i && found[k].st_name != 0 && found[k].st_name != MANY
                           && strcmp(stripped->file + found[i].st_name, stripped->file + found[k].st_name) == 0;
        if (has_name && !is_shared[i]) {
            first = i < first ? i : first;
            last = i;
        }
    }
    for (size_t i = first; is_shared && i <= last && i < stripped->start_count; i++) {
        if (found[i].st_name == 0 || found[i].st_name == MANY)
            continue;
        uint64_t start = start_of(stripped, i), end = i + 1 < stripped->start_count
                                                          ? start_of(stripped, i + 1)
                                                          : stripped->code->sh_addr + stripped->code->sh_size;
        if (start < stripped->code->sh_addr || end <= start || end > stripped->code->sh_addr + stripped->code->sh_size)
            continue; /* the file is not ours */
        found[kept++] = (Elf64_Sym){.st_name = found[i].st_name,
                                    .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
                                    .st_shndx = 1,
                                    .st_value = start,
                                    .st_size = end - start};
    }
    free(is_shared);
    return kept;
}

/* The table of the driver's that the library asks for first. */
static bool has_library(const struct stripped *stripped)
{
    static const unsigned char id[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                         0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
    return memmem(stripped->file + stripped->data->sh_offset, stripped->data->sh_size, id, sizeof id) != NULL;
}

bool stripped_runtime_open(const char *path, bool (*is_wanted)(const char *name), struct built_in_symbols *symbols)
{
    struct stripped stripped = {0};
    if (!built_in_map(path, symbols))
        return false;
    if (symbols->file_bytes < UINT32_MAX && find_parts(symbols, &stripped) && has_library(&stripped)
        && find_starts(&stripped) && find_names(&stripped, is_wanted) && stripped.name_count > 0)
        symbols->found = calloc(stripped.start_count, sizeof *symbols->found);
    if (symbols->found) {
        find_references(&stripped, symbols->found);
        symbols->first = symbols->found;
        symbols->count = keep_unique(&stripped, symbols->found);
        symbols->names = symbols->file;
        symbols->name_bytes = symbols->file_bytes;
    }
    free(stripped.names);
    if (symbols->count > 0)
        return true;
    built_in_close(symbols);
    return false;
}
