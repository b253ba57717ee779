/* NVIDIA's runtime library inside a program or a shared object that was linked with it: found by the symbol table of the
 * file, and redirected by a jump at the start of each function. Used before the object's own code runs. */
#ifndef CUDART_BUILT_IN_H
#define CUDART_BUILT_IN_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An ELF file in memory and one symbol table of it. */
struct built_in_symbols {
    void *file; /* mapped */
    size_t file_bytes;
    const Elf64_Sym *first;
    size_t count;
    const char *names;
    size_t name_bytes;
    Elf64_Sym *found; /* [count] first, malloc'd: by stripped_runtime.h; NULL: of the file */
};

/* Maps the file and finds its table of this type: SHT_SYMTAB or SHT_DYNSYM. Lengths are checked: the file is not ours.
 * Returns false, with nothing to close, when it has none. */
bool built_in_open(const char *path, uint32_t type, struct built_in_symbols *symbols);

void built_in_close(struct built_in_symbols *symbols);

/* The first step alone: maps the file. Its sections, if it is an ELF file, else NULL; whether the file holds all of one. */
bool built_in_map(const char *path, struct built_in_symbols *symbols);
const Elf64_Shdr *built_in_sections(const char *file, size_t bytes, int *count);
bool built_in_holds(const Elf64_Shdr *section, size_t bytes);

/* A symbol's name; "" when it is not a function that the file defines. */
const char *built_in_function(const struct built_in_symbols *symbols, size_t index);

/* Which major version of the runtime library is built in; 0 for none. */
int built_in_version(const struct built_in_symbols *symbols);

/* Makes each function of the library jump to its namesake.
 *   base    where the object was loaded
 *   find    the function of that name, or NULL: then it stays as it is
 * Returns false when that cannot be done on this machine. */
bool built_in_redirect(const struct built_in_symbols *symbols, uintptr_t base, void *(*find)(const char *name));

#endif
