/* Source names, from the names that C++ compilers make of them (Itanium C++ ABI, 5.1). */
#ifndef EMULATOR_DEMANGLE_H
#define EMULATOR_DEMANGLE_H

#include <stddef.h>

/* Writes the readable name of a function, without its parameters: "scale<float, 256>" for _Z5scaleIfLi256EEvPT_i,
 * "cooperative_groups::thread_block::sync"; inline and nameless namespaces are left out. A name that is not mangled, longer
 * than 1024 bytes or not understood is unchanged; one with an expression in its template arguments is shortened to its
 * plain name. What does not fit into text[bytes] is cut off. */
void demangle_function(const char *name, char *text, size_t bytes);

/* Writes the name of a variable alone: "tile" for _ZZ6kernelE4tile and for _ZN5space4tileE. Otherwise as above. */
void demangle_variable(const char *name, char *text, size_t bytes);

/* The plain name of a function outside namespaces: the part between "_Z" and the types, "scale" for the first one
 * above; else the name itself. Points into `name`: [*length], not terminated. */
const char *demangle_plain(const char *name, size_t *length);

#endif
