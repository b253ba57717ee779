#include "runtime/emulator/math_libraries/base/version.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int library_major(const void *function)
{
    Dl_info info;
    if (!dladdr(function, &info) || !info.dli_fname)
        return 0;
    const char *dot = strrchr(info.dli_fname, '.');
    return dot ? atoi(dot + 1) : 0;
}
