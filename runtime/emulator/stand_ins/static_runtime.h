/* Shared objects with NVIDIA's runtime library built in (CuPy's modules): their calls go to ours. */
#ifndef STAND_INS_STATIC_RUNTIME_H
#define STAND_INS_STATIC_RUNTIME_H

#include <stdint.h>

/* An object was mapped at `base`, and none of its code has run: redirects its runtime library, or, when it is ours,
 * remembers where our functions are. */
void static_runtime_opened(const char *path, uintptr_t base);

#endif
