/* Programs with NVIDIA's runtime library built in, which is nvcc's default.
 *
 * That library talks to NVIDIA's driver through undocumented tables, so it cannot work on another driver. But the
 * program calls the library's documented functions, which the program's symbol table still names. When this library
 * is loaded (before the program's own start), each of them gets a jump to the function of the same name here. Nothing in
 * the file changes. This cannot help a program without a symbol table (strip): cuGetExportTable of the emulated driver says
 * so.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/emulator/cudart/runtime.h"

struct entry {
    const char *name;
    void *function;
};

/* Sorted by name, as the table is (tests/entry_points_suite.c). */
static const struct entry entries[] = {
#define ENTRY(type, name, arguments) {#name, (void *)name},
#define SAME(name, target)           {#name, (void *)name},
#define ABSENT(name)                 {#name, (void *)name},
#include "runtime/emulator/cudart/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
};

struct program_symbols {
    const Elf64_Sym *first;
    size_t count;
    const char *names;
    size_t name_bytes;
};

static const char *name_of(const struct program_symbols *symbols, const Elf64_Sym *symbol)
{
    return symbol->st_name < symbols->name_bytes ? symbols->names + symbol->st_name : "";
}

static bool is_function(const Elf64_Sym *symbol)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
}

static int compare(const void *name, const void *entry)
{
    return strcmp(name, ((const struct entry *)entry)->name);
}

static const struct entry *find_entry(const char *name)
{
    if (strncmp(name, "cuda", 4) != 0 && strncmp(name, "__cuda", 6) != 0)
        return NULL;
    return bsearch(name, entries, sizeof entries / sizeof entries[0], sizeof entries[0], compare);
}

/* Finds the symbol table of a whole file in memory. Lengths are checked: the file is not ours. */
static bool find_symbols(const char *file, size_t bytes, struct program_symbols *symbols)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64
        || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > bytes
        || (bytes - header->e_shoff) / sizeof(Elf64_Shdr) < header->e_shnum)
        return false;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        const Elf64_Shdr *table = &sections[i];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum)
            continue;
        const Elf64_Shdr *names = &sections[table->sh_link];
        if (table->sh_offset > bytes || table->sh_size > bytes - table->sh_offset || names->sh_offset > bytes
            || names->sh_size == 0 || names->sh_size > bytes - names->sh_offset
            || file[names->sh_offset + names->sh_size - 1] != '\0')
            return false;
        *symbols = (struct program_symbols){(const Elf64_Sym *)(file + table->sh_offset), table->sh_size / sizeof(Elf64_Sym),
                                            file + names->sh_offset, names->sh_size};
        return true;
    }
    return false;
}

/* Which major version of the runtime library is built in; 0 for none. One function was dropped in CUDA 13. */
static int built_in_version(const struct program_symbols *symbols)
{
    bool built_in = false, old = false;
    for (size_t i = 0; i < symbols->count; i++) {
        const char *name = is_function(&symbols->first[i]) ? name_of(symbols, &symbols->first[i]) : "";
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
enum { JUMP_BYTES = 0 }; /* redirect_all reports that it cannot be done */

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

/* Where the program is: the first object that the loader lists. */
static int first_object(struct dl_phdr_info *info, size_t bytes, void *base)
{
    (void)bytes;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

/* Some functions are a single jump, but functions start at multiples of 16 bytes, so nothing else follows one. */
static bool has_room(const Elf64_Sym *symbol)
{
    return symbol->st_size >= JUMP_BYTES || (symbol->st_size > 0 && symbol->st_value % 16 == 0);
}

static void redirect_all(const struct program_symbols *symbols)
{
    uintptr_t base = 0;
    bool good = JUMP_BYTES > 0;
    dl_iterate_phdr(first_object, &base);
    for (size_t i = 0; i < symbols->count && good; i++) {
        const Elf64_Sym *symbol = &symbols->first[i];
        const struct entry *entry = is_function(symbol) ? find_entry(name_of(symbols, symbol)) : NULL;
        if (entry && has_room(symbol))
            good = redirect(base + symbol->st_value, entry->function);
    }
    if (!good)
        fputs("lockstep: this program has NVIDIA's runtime library built in, and its calls cannot be redirected on this "
              "machine. Build it with nvcc -cudart shared.\n",
              stderr);
}

__attribute__((constructor)) static void redirect_built_in_runtime(void)
{
    struct stat status;
    struct program_symbols symbols;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    void *data = MAP_FAILED;
    if (fstat(file, &status) == 0)
        data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED)
        return;
    if (find_symbols(data, (size_t)status.st_size, &symbols) && built_in_version(&symbols) == CUDART_MAJOR)
        redirect_all(&symbols);
    munmap(data, (size_t)status.st_size);
}
