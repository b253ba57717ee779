#include "runtime/emulator/stand_ins/static_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/cudart/built_in.h"
#include "runtime/emulator/stand_ins/stripped_runtime.h"

enum { FIRST_MAJOR = 12, MAJORS = 2, MAX_FUNCTIONS = 1024 };

/* Where a function of our runtime library is. */
struct place {
    char *name;
    uintptr_t address;
};

struct runtime {
    struct place places[MAX_FUNCTIONS]; /* [count], sorted by name */
    size_t count;
};

static struct runtime runtimes[MAJORS];
static const struct runtime *wanted; /* by find() */

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct place *)left)->name, ((const struct place *)right)->name);
}

static void *find(const char *name)
{
    struct place key = {.name = (char *)name};
    struct place *place = bsearch(&key, wanted->places, wanted->count, sizeof key, compare);
    return place ? (void *)place->address : NULL;
}

static bool is_wanted(const char *name)
{
    bool is = false;
    for (int i = 0; i < MAJORS && !is; i++) {
        wanted = &runtimes[i];
        is = find(name) != NULL;
    }
    return is;
}

/* Ours is the first of that name: it is preloaded, and any later one is loaded because somebody opened it by its path. */
static void remember(const char *path, uintptr_t base, struct runtime *runtime)
{
    struct built_in_symbols symbols;
    if (runtime->count > 0 || !built_in_open(path, SHT_DYNSYM, &symbols))
        return;
    for (size_t i = 0; i < symbols.count && runtime->count < MAX_FUNCTIONS; i++) {
        const char *name = built_in_function(&symbols, i);
        char *copy = *name ? strdup(name) : NULL;
        if (copy)
            runtime->places[runtime->count++] = (struct place){copy, base + symbols.first[i].st_value};
    }
    qsort(runtime->places, runtime->count, sizeof runtime->places[0], compare);
    built_in_close(&symbols);
}

void static_runtime_opened(const char *path, uintptr_t base)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    int major = strncmp(file, "libcudart.so.", 13) == 0 ? atoi(file + 13) : 0;
    if (major >= FIRST_MAJOR && major < FIRST_MAJOR + MAJORS) {
        remember(path, base, &runtimes[major - FIRST_MAJOR]);
        return;
    }
    struct built_in_symbols symbols;
    if (!built_in_open(path, SHT_SYMTAB, &symbols) && !stripped_runtime_open(path, is_wanted, &symbols))
        return;
    major = built_in_version(&symbols);
    wanted = major ? &runtimes[major - FIRST_MAJOR] : NULL;
    if (wanted && wanted->count > 0 && !built_in_redirect(&symbols, base, find))
        fprintf(stderr,
                "lockstep: %s has NVIDIA's runtime library built in, and its calls cannot be redirected on this "
                "machine.\n",
                path);
    built_in_close(&symbols);
}
