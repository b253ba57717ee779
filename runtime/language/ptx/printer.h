/* Printing a parsed module as PTX text. */
#ifndef PTX_PRINTER_H
#define PTX_PRINTER_H

#include <stddef.h>

#include "runtime/language/ptx/module.h"

/* Prints what the module means, not how it was written: scopes are gone (a name that two scopes declared gets a number),
 * register families are spelled out, numbers are bits, and what the emulated driver ignores (pragmas, debug sections, unused
 * labels) is left out. Parsing the result gives an equal module, and printing that gives the same text.
 * Returns the text [*length] and a NUL, owned by the caller, free(); NULL when out of memory. */
char *ptx_print(const struct ptx_module *module, size_t *length);

#endif
