#include "runtime/emulator/cudart/built_in.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const Elf64_Shdr *built_in_sections(const char *file, size_t bytes, int *count)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64
        || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > bytes
        || (bytes - header->e_shoff) / sizeof(Elf64_Shdr) < header->e_shnum)
        return NULL;
    *count = header->e_shnum;
    return (const Elf64_Shdr *)(file + header->e_shoff);
}

bool built_in_holds(const Elf64_Shdr *section, size_t bytes)
{
    return section->sh_type != SHT_NOBITS && section->sh_offset <= bytes && section->sh_size <= bytes - section->sh_offset;
}

static bool find_table(const char *file, size_t bytes, uint32_t type, struct built_in_symbols *symbols)
{
    int count;
    const Elf64_Shdr *sections = built_in_sections(file, bytes, &count);
    for (int i = 0; sections && i < count; i++) {
        const Elf64_Shdr *table = &sections[i];
        if (table->sh_type != type || table->sh_link >= (uint32_t)count)
            continue;
        const Elf64_Shdr *names = &sections[table->sh_link];
        if (!built_in_holds(table, bytes) || !built_in_holds(names, bytes) || names->sh_size == 0
            || file[names->sh_offset + names->sh_size - 1] != '\0')
            return false;
        symbols->first = (const Elf64_Sym *)(file + table->sh_offset);
        symbols->count = table->sh_size / sizeof(Elf64_Sym);
        symbols->names = file + names->sh_offset;
        symbols->name_bytes = names->sh_size;
        return true;
    }
    return false;
}

bool built_in_map(const char *path, struct built_in_symbols *symbols)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    void *data = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0)
        data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED)
        return false;
    *symbols = (struct built_in_symbols){.file = data, .file_bytes = (size_t)status.st_size};
    return true;
}

bool built_in_open(const char *path, uint32_t type, struct built_in_symbols *symbols)
{
    if (!built_in_map(path, symbols))
        return false;
    if (find_table(symbols->file, symbols->file_bytes, type, symbols))
        return true;
    built_in_close(symbols);
    return false;
}

void built_in_close(struct built_in_symbols *symbols)
{
    free(symbols->found);
    munmap(symbols->file, symbols->file_bytes);
    *symbols = (struct built_in_symbols){0};
}

const char *built_in_function(const struct built_in_symbols *symbols, size_t index)
{
    const Elf64_Sym *symbol = &symbols->first[index];
    bool is_function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
    return is_function && symbol->st_name < symbols->name_bytes ? symbols->names + symbol->st_name : "";
}

/* One function was dropped in CUDA 13. */
int built_in_version(const struct built_in_symbols *symbols)
{
    bool built_in = symbols->found != NULL, old = false;
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = built_in_function(symbols, i);
        built_in |= strcmp(name, "__cudaRegisterFatBinary") == 0;
        old |= strcmp(name, "cudaGetDeviceProperties_v2") == 0;
    }
    return !built_in ? 0 : old ? 12 : 13;
}

#ifdef __x86_64__
enum { JUMP_BYTES = 12 }; /* at most 16: see has_room */

static void write_jump(unsigned char *code, void *target)
{
    static const unsigned char move_to_rax[] = {0x48, 0xb8}, jump_to_rax[] = {0xff, 0xe0};
    memcpy(code, move_to_rax, 2);
    memcpy(code + 2, &target, 8);
    memcpy(code + 10, jump_to_rax, 2);
}
#else
enum { JUMP_BYTES = 0 }; /* built_in_redirect reports that it cannot be done */

static void write_jump(unsigned char *code, void *target)
{
    (void)code, (void)target;
}
#endif

/* Overwrites the start of one function. Returns false when its pages cannot be made writable. */
static bool redirect(uintptr_t address, void *target)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = address / page * page, end = (address + JUMP_BYTES + page - 1) / page * page;
    if (mprotect((void *)start, end - start, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    write_jump((unsigned char *)address, target);
    return mprotect((void *)start, end - start, PROT_READ | PROT_EXEC) == 0;
}

/* Some functions are a single jump, but functions start at multiples of 16 bytes, so nothing else follows one. */
static bool has_room(const Elf64_Sym *symbol)
{
    return symbol->st_size >= JUMP_BYTES || (symbol->st_size > 0 && symbol->st_value % 16 == 0);
}

bool built_in_redirect(const struct built_in_symbols *symbols, uintptr_t base, void *(*find)(const char *name))
{
    bool good = JUMP_BYTES > 0;
    for (size_t i = 0; i < symbols->count && good; i++) {
        const char *name = built_in_function(symbols, i);
        bool may_be = strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0;
        void *target = may_be && has_room(&symbols->first[i]) ? find(name) : NULL;
        if (target)
            good = redirect(base + symbols->first[i].st_value, target);
    }
    return good;
}
