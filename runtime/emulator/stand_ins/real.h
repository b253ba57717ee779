/* NVIDIA's library behind one of ours. */
#ifndef STAND_INS_REAL_H
#define STAND_INS_REAL_H

#include <dlfcn.h>
#include <stdio.h>

/* A path that audit.c turns into that of the library which the program would have loaded. */
#define REAL_FOLDER "/lockstep/real/"

/* Opens the library for which ours stands in; its calls to itself stay in it. NULL, with a message, when it cannot be
 * opened. */
static inline void *real_open(const char *file)
{
    char path[200];
    snprintf(path, sizeof path, REAL_FOLDER "%s", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!library)
        fprintf(stderr, "lockstep: NVIDIA's %s, which Lockstep stands in front of, cannot be loaded: %s\n", file, dlerror());
    return library;
}

#endif
