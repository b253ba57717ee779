/* The kit's own stand-ins for the headers that students include out of habit. NVRTC has no host headers, but knows most
 * of what they declare for device code (printf, assert, size_t, sqrtf, malloc ...). */
#ifndef RUNTIME_HEADERS_H
#define RUNTIME_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

/* Names (as written in #include) and texts of all stand-ins, [*count] each; static. beside_toolkit: of those that the headers
 * of a toolkit, which take part in the compile, leave room for. */
void headers_get(bool beside_toolkit, const char *const **names, const char *const **texts, int *count);

/* Is name[0 .. length) the name of a stand-in? */
bool headers_has(const char *name, size_t length);

#endif
