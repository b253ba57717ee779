/* Findings about code that is not the user's: of the CUDA toolkit's headers, of installed packages, of kernels that these
 * write. */
#ifndef LIBRARY_CODE_H
#define LIBRARY_CODE_H

#include <jansson.h>
#include <stdbool.h>

/* Is this about how threads of a library's own kernel work together? All its places are then in the library. Addresses and
 * values that a kernel uses come from its caller, so mistakes about them are the user's wherever they show.
 *   arguments  the program and what it is given, up to a NULL: scripts among them, and modules beside these, are the user's */
bool library_code_is(const json_t *finding, char *const *arguments);

/* The whole text of a file, NUL-terminated, the caller's to free; NULL when it cannot be read or is not a source of sensible
 * size. */
char *library_code_read(const char *path);

#endif
