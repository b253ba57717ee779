/* What the dynamic loader asks of us under `lockstep exec` (LD_AUDIT, rtld-audit(7)): NVIDIA's compiler libraries are loaded
 * through ours, by whatever name or path a program opens them, and programs that look for `libcuda.so` get libcuda.so.1.
 *
 * The loader gives an auditor a C library of its own, so nothing here may be shared with the program but what the loader
 * passes on. */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/stand_ins/real.h"
#include "runtime/emulator/stand_ins/static_runtime.h"

#define EXPORT __attribute__((visibility("default")))

/* A library that has a stand-in. */
struct stand_in {
    const char *prefix, *file;   /* how its file name begins; ours without the major version */
    int first_major, last_major; /* versions that ours is built for */
    bool alone;                  /* ours needs nothing of NVIDIA's, which need not be installed */
};

static const struct stand_in stand_ins[] = {
    {"libnvrtc.so", "libnvrtc.so", 12, 13, false},         {"libnvrtc.alt.so", "libnvrtc.so", 12, 13, false},
    {"libnvJitLink.so", "libnvJitLink.so", 12, 13, false}, {"libcublas.so", "libcublas.so", 12, 13, true},
    {"libcublasLt.so", "libcublasLt.so", 12, 13, true},    {"libcusolver.so", "libcusolver.so", 11, 12, true},
    {"libcurand.so", "libcurand.so", 10, 10, true},        {"libcufft.so", "libcufft.so", 11, 12, true},
    {"libcusparse.so", "libcusparse.so", 12, 12, true},
};

enum { STAND_INS = sizeof stand_ins / sizeof *stand_ins, MAJORS = 2 };

static char folder[PATH_MAX]; /* of this library and the stand-ins */
/* What a stand-in stands for. A path that the program asks for counts more than one at which the loader looks for a name, which
 * may be a mere question whether it is loaded (RTLD_NOLOAD); once NVIDIA's library is open, nothing changes any more. */
static struct real {
    char path[PATH_MAX]; /* "": none yet */
    bool is_asked_for, is_open;
} reals[STAND_INS][MAJORS];

EXPORT unsigned la_version(unsigned version);
EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag);
EXPORT unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie);

unsigned la_version(unsigned version)
{
    Dl_info info;
    if (dladdr((void *)la_version, &info) && info.dli_fname)
        snprintf(folder, sizeof folder, "%s", info.dli_fname);
    char *slash = strrchr(folder, '/');
    if (!slash)
        return 0; /* without a folder there is nothing to offer */
    *slash = '\0';
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* The major version in a file name; that of the file behind it for a link without one. -1: none that we stand in for. */
static int major_of(const char *path, const struct stand_in *stand_in)
{
    char whole[PATH_MAX];
    size_t length = strlen(stand_in->prefix);
    const char *slash = strrchr(path, '/'), *tail = (slash ? slash + 1 : path) + length;
    if (*tail == '\0' && realpath(path, whole)) {
        slash = strrchr(whole, '/');
        tail = slash && strncmp(slash + 1, stand_in->prefix, length) == 0 ? slash + 1 + length : "";
    }
    int major = *tail == '.' ? atoi(tail + 1) : -1;
    return major >= stand_in->first_major && major <= stand_in->last_major ? major : -1;
}

/* NVIDIA's library behind ours, which opens it. NULL: none was looked for. */
static const char *open_real(const char *file)
{
    for (int i = STAND_INS - 1; i >= 0; i--)
        for (int k = 0; k < MAJORS; k++) {
            char ours[64];
            snprintf(ours, sizeof ours, "%s.%d", stand_ins[i].file, stand_ins[i].first_major + k);
            if (strcmp(ours, file) != 0 || reals[i][k].path[0] == '\0')
                continue;
            reals[i][k].is_open = true;
            return reals[i][k].path;
        }
    return NULL;
}

static void note_real(struct real *real, const char *path, bool is_asked_for)
{
    if (real->is_open || (real->path[0] != '\0' && (real->is_asked_for || !is_asked_for)))
        return;
    snprintf(real->path, sizeof real->path, "%s", path);
    real->is_asked_for = is_asked_for;
}

/* Ours instead of the library that is looked for as `name`, if it has one; else NULL. is_asked_for: the name is the program's,
 * not a path at which the loader looks for one. */
static char *stand_in_for(const char *name, bool is_asked_for)
{
    static char ours[PATH_MAX + 64];
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    for (int i = 0; i < STAND_INS; i++) {
        const struct stand_in *stand_in = &stand_ins[i];
        int major = strncmp(file, stand_in->prefix, strlen(stand_in->prefix)) == 0 ? major_of(name, stand_in) : -1;
        if (major < 0 || (!stand_in->alone && (!slash || access(name, R_OK) != 0)))
            continue;
        snprintf(ours, sizeof ours, "%s/%s.%d", folder, stand_in->file, major);
        if (access(ours, R_OK) != 0 || strcmp(ours, name) == 0)
            continue;
        if (slash)
            note_real(&reals[i][major - stand_in->first_major], name, is_asked_for);
        return ours;
    }
    return NULL;
}

/* Called for a name as it was asked for, then for each path at which it is looked for. */
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
    (void)cookie;
    if (strncmp(name, REAL_FOLDER, strlen(REAL_FOLDER)) == 0) {
        const char *real = open_real(name + strlen(REAL_FOLDER));
        return (char *)(real ? real : name);
    }
    if (flag == LA_SER_ORIG && strcmp(name, "libcuda.so") == 0)
        return "libcuda.so.1";
    char *ours = stand_in_for(name, flag == LA_SER_ORIG);
    return ours ? ours : (char *)name;
}

/* An object was mapped, and none of its code has run yet. */
unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
    (void)cookie;
    if (namespace == LM_ID_BASE && map->l_name && map->l_name[0] == '/')
        static_runtime_opened(map->l_name, map->l_addr);
    return 0;
}
