/* The C code of a lab: reference.c, with a function on the CPU for each kernel, and hooks.c, with what is special.
 *
 * They are compiled to one shared object with the system's compiler when the lab is first used; the result is kept in the user's cache
 * folder, under a name that covers all that it depends on. The kit's own are built with the kit: build/labs/NAME.so beside the program.
 * A kept one that was cut off or changed is made again. What the kit was built with runs in the grader's process; any other code is
 * its author's, and runs in a child (guard.h). */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/describe/prototype.h"

struct module;

/* Loads the code of the lab in `folder`.
 *   built      a shared object made by the build, taken as long as it is not older than the sources; NULL or absent: none
 * Returns the module, which stays loaded (module_close frees the handle only); NULL with a message: the compiler's first
 * error with file and line, or that there is no compiler, with what to install. A folder with neither file gives a module without
 * functions. */
struct module *module_open(const char *folder, const char *built, char *message, size_t message_bytes);

/* A function or an object of the lab by its name; NULL when there is none. */
void *module_find(const struct module *module, const char *name);

/* A digest of the sources, and of the program that they are compiled for; valid as long as the module. */
const char *module_digest(const struct module *module);

/* Was it built with the kit? */
bool module_is_built(const struct module *module);

/* Whether an address lies in the module as it is loaded, and the line of code there: 0 and "" where it is not known.
 *   file   out: the source, as the compiler was given it */
bool module_holds(const struct module *module, uintptr_t address);
int module_line(const struct module *module, uintptr_t address, char *file, size_t file_bytes);

void module_close(struct module *module);

/* How a value goes into a call of C. */
enum module_kind {
    MODULE_POINTER,
    MODULE_INT8,
    MODULE_UINT8,
    MODULE_INT16,
    MODULE_UINT16,
    MODULE_INT32,
    MODULE_UINT32,
    MODULE_INT64,
    MODULE_UINT64,
    MODULE_FLOAT,
    MODULE_DOUBLE
};

/* Calls function(arguments...) as C does.
 *   values   [count] pointers to the arguments, each of the type that its kind says */
void module_call(void *function, const enum module_kind *kinds, void **values, int count);

#endif
