#include "runtime/emulator/driver/origin.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/emulator/driver/python_place.h"
#include "runtime/emulator/driver/source_line.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/settings/settings.h"
#include "runtime/language/demangle.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of this library, or of the runtime library that calls it. */
static bool is_ours(const Dl_info *info)
{
    Dl_info own;
    if (dladdr((const void *)is_ours, &own) && own.dli_fbase == info->dli_fbase)
        return true;
    return strncmp(base_name(info->dli_fname), "libcudart.so", strlen("libcudart.so")) == 0;
}

/* Is the frame the program's, and not of this library or the runtime library that calls it? Asking the loader takes long,
 * and the same frames come again and again. */
static bool is_program(const void *frame)
{
    enum { KNOWN = 256 };
    static struct {
        const void *frame;
        bool is_program;
    } known[KNOWN];
    size_t at = ((uintptr_t)frame ^ (uintptr_t)frame >> 8) % KNOWN;
    if (known[at].frame != frame) {
        Dl_info info;
        known[at].is_program = dladdr(frame, &info) && info.dli_fname && !is_ours(&info);
        known[at].frame = frame;
    }
    return known[at].is_program;
}

void origin_find_entry(const void **entry, const void **origin, int wanted)
{
    enum { DEPTH = 24 };
    void *frames[DEPTH];
    int count = backtrace(frames, DEPTH), first = 0;
    while (first < count
           && is_program(frames[first])) /* of a sanitizer, whose backtrace comes before that of the C library */
        first++;
    while (first < count && !is_program(frames[first]))
        first++;
    *entry = first > 0 && first < count ? frames[first - 1] : NULL;
    for (int i = 0; i < wanted; i++)
        origin[i] = first + i < count ? frames[first + i] : NULL;
}

void origin_find_frames(const void **origin, int wanted)
{
    const void *entry;
    origin_find_entry(&entry, origin, wanted);
}

void origin_find_call(const void **origin, int wanted)
{
    origin_find_frames(origin, wanted);
    const void *place = python_place_find();
    if (!place)
        return;
    origin[0] = place;
    for (int i = 1; i < wanted; i++)
        origin[i] = NULL;
}

void origin_find(const void *origin[2])
{
    origin_find_frames(origin, 2);
}

/* Stands for a place in a package that has no address of its own. */
static const char in_package[] = "an installed package";

bool origin_is_bridge(const void *const origin[2])
{
    static const char *const names[] = {"libffi.so", "_ctypes.", "_cffi_backend."};
    Dl_info info;
    if (!origin[0] || !dladdr(origin[0], &info) || !info.dli_fname)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(base_name(info.dli_fname), names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

bool origin_cross_bridge(const void *origin[2])
{
    bool is_package;
    const void *place = python_place_of_caller(&is_package);
    if (!place && !is_package)
        return false;
    origin[0] = place ? place : in_package;
    origin[1] = NULL;
    return true;
}

bool origin_is_package(const void *const origin[2])
{
    Dl_info info;
    if (origin[0] == in_package)
        return true;
    return origin[0] && !python_place_text(origin[0]) && dladdr(origin[0], &info) && info.dli_fname
           && (strstr(info.dli_fname, "/site-packages/") || strstr(info.dli_fname, "/dist-packages/"));
}

/* ---- names ---- */

/* Sections of a whole file in memory; lengths are checked, since the file is not ours. */
static const Elf64_Shdr *find_sections(const char *file, size_t bytes)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64
        || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > bytes
        || (bytes - header->e_shoff) / sizeof(Elf64_Shdr) < header->e_shnum)
        return NULL;
    return (const Elf64_Shdr *)(file + header->e_shoff);
}

/* The function that holds `address` (as in the file) by one symbol table. Writes "name+0x2f"; false: none. */
static bool find_in_table(const char *file, size_t bytes, const Elf64_Shdr *table, const Elf64_Shdr *names, uint64_t address,
                          char *text, size_t text_bytes)
{
    if (table->sh_offset > bytes || table->sh_size > bytes - table->sh_offset || names->sh_offset > bytes
        || names->sh_size == 0 || names->sh_size > bytes - names->sh_offset
        || file[names->sh_offset + names->sh_size - 1] != '\0')
        return false;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || address < symbol->st_value
            || address - symbol->st_value >= symbol->st_size || symbol->st_name >= names->sh_size)
            continue;
        char name[128];
        demangle_function(file + names->sh_offset + symbol->st_name, name, sizeof name);
        snprintf(text, text_bytes, "%s+0x%llx", name, (unsigned long long)(address - symbol->st_value));
        return true;
    }
    return false;
}

/* Has the file lines of its source? */
static bool has_lines(const char *file, size_t bytes, const Elf64_Shdr *sections)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *names = &sections[header->e_shstrndx < header->e_shnum ? header->e_shstrndx : 0];
    static const char wanted[] = ".debug_line";
    if (names->sh_offset > bytes || names->sh_size > bytes - names->sh_offset)
        return false;
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (names->sh_size >= sizeof wanted && sections[i].sh_name <= names->sh_size - sizeof wanted
            && memcmp(file + names->sh_offset + sections[i].sh_name, wanted, sizeof wanted) == 0)
            return true;
    return false;
}

/* Looks in the file itself: its own functions are rarely among those that the loader knows.
 *   lines   out: it has debugging information */
static bool find_in_file(const char *path, uint64_t address, char *text, size_t text_bytes, bool *lines)
{
    struct stat status;
    bool found = false;
    *lines = false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    void *data = fstat(descriptor, &status) == 0 ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0)
                                                 : MAP_FAILED;
    close(descriptor);
    if (data == MAP_FAILED)
        return false;
    size_t bytes = (size_t)status.st_size;
    const Elf64_Shdr *sections = find_sections(data, bytes);
    for (unsigned i = 0; sections && i < ((const Elf64_Ehdr *)data)->e_shnum && !found; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < ((const Elf64_Ehdr *)data)->e_shnum)
            found = find_in_table(data, bytes, &sections[i], &sections[sections[i].sh_link], address, text, text_bytes);
    *lines = sections && has_lines(data, bytes, sections);
    munmap(data, bytes);
    return found;
}

/* The program's: another process does not know it as /proc/self/exe. */
static const char *own_path(void)
{
    static char path[512];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}

static void describe(const void *origin, const char *kernel, char *text, size_t text_bytes)
{
    Dl_info info;
    struct link_map *map;
    char function[160], line[SOURCE_LINE_BYTES];
    bool has_debug_lines;
    /* The call is before the address to which it returns. */
    const char *call = (const char *)origin - 1;
    if (!dladdr1(call, &info, (void **)&map, RTLD_DL_LINKMAP) || !info.dli_fname) {
        snprintf(text, text_bytes, "%p", origin);
        return;
    }
    uint64_t address = (uint64_t)(call - (const char *)map->l_addr);
    const char *path = *map->l_name ? map->l_name : "/proc/self/exe";
    bool is_named = find_in_file(path, address, function, sizeof function, &has_debug_lines);
    bool is_asked_for = settings_get()->calls_path
                        && *map->l_name == '\0'; /* the reader of that file knows the program's lines */
    if (is_asked_for && is_named)
        snprintf(text, text_bytes, "%.*s, address 0x%llx", (int)strcspn(function, "+"), function,
                 (unsigned long long)address);
    else if (!is_asked_for && has_debug_lines && source_line_find(*map->l_name ? path : own_path(), address, kernel, line))
        snprintf(text, text_bytes, "%s", line);
    else if (is_named)
        snprintf(text, text_bytes, "%s in %s", function, base_name(info.dli_fname));
    else if (info.dli_sname)
        snprintf(text, text_bytes, "%s+0x%llx in %s", info.dli_sname,
                 (unsigned long long)(call - (const char *)info.dli_saddr), base_name(info.dli_fname));
    else
        snprintf(text, text_bytes, "%s+0x%llx", base_name(info.dli_fname), (unsigned long long)address);
}

void origin_describe(const void *const origin[2], char *text, size_t text_bytes)
{
    if (python_place_text(origin[0])) {
        snprintf(text, text_bytes, "%s", python_place_text(origin[0]));
        return;
    }
    describe(origin[0], NULL, text, text_bytes);
    if (origin[1] && strstr(text, "cudaMalloc")) /* the templates of cuda_runtime.h, where nothing is inlined */
        describe(origin[1], NULL, text, text_bytes);
}

bool origin_describe_frame(const void *frame, const char *kernel, char *text, size_t text_bytes)
{
    size_t length = kernel ? strcspn(kernel, "(<") : 0;
    if (python_place_text(frame)) {
        snprintf(text, text_bytes, "%s", python_place_text(frame));
        return true;
    }
    describe(frame, kernel, text, text_bytes);
    return strncmp(text, "cuda", strlen("cuda")) != 0 && strncmp(text, "__cudaLaunch", strlen("__cudaLaunch")) != 0
           && strncmp(text, "__device_stub", strlen("__device_stub")) != 0
           && (length == 0 || strncmp(text, kernel, length) != 0 || !strchr("(<+,", text[length]));
}
