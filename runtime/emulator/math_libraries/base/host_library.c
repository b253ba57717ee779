#include "runtime/emulator/math_libraries/base/host_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static void open_library(struct host_library *library)
{
    for (int i = 0; i < 4 && library->names[i] && !library->handle; i++)
        library->handle = dlopen(library->names[i], RTLD_NOW | RTLD_LOCAL);
    if (library->handle)
        return;
    library->failed = 1;
    fprintf(stderr, "lockstep: %s need %s, which is not installed: apt-get install %s\n", library->purpose,
            library->names[0], library->package);
}

void *host_function(struct host_library *library, const char *name)
{
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&opening);
    if (!library->handle && !library->failed)
        open_library(library);
    pthread_mutex_unlock(&opening);
    void *function = library->handle ? dlsym(library->handle, name) : NULL;
    if (library->handle && !function)
        fprintf(stderr, "lockstep: %s has no %s\n", library->names[0], name);
    return function;
}
