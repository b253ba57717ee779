/* Names of the source, from the names that C++ compilers make of them (Itanium C++ ABI, 5.1). */
#ifndef EMULATOR_DEMANGLE_H
#define EMULATOR_DEMANGLE_H

#include <stddef.h>

/* Writes the readable name of a function, without its parameters: "scale<float, 256>" for _Z5scaleIfLi256EEvPT_i,
 * "cooperative_groups::thread_block::sync"; inline and nameless namespaces are left out. A name that is not mangled stays as
 * it is; of one that this does not understand, the last plain name in it is taken. What does not fit into text[bytes] is cut
 * off. */
void demangle_function(const char *name, char *text, size_t bytes);

/* Writes the name of a variable alone: "tile" for _ZZ6kernelE4tile and for _ZN5space4tileE. Otherwise as above. */
void demangle_variable(const char *name, char *text, size_t bytes);

#endif
