#include "runtime/emulator/stand_ins/real.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

void *real_function(const char *file, const char *name)
{
    static void *library;
    static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
    char path[200];
    pthread_mutex_lock(&loading);
    if (!library) {
        snprintf(path, sizeof path, REAL_FOLDER "%s", file);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND); /* its calls to itself stay in it */
        if (!library)
            fprintf(stderr, "lockstep: NVIDIA's %s, which Lockstep's is in front of, cannot be loaded: %s\n", file,
                    dlerror());
    }
    pthread_mutex_unlock(&loading);
    void *function = library ? dlsym(library, name) : NULL;
    if (library && !function)
        fprintf(stderr, "lockstep: NVIDIA's %s has no %s\n", file, name);
    return function;
}
