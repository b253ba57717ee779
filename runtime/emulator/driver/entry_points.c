/* The entry points that are not implemented, and the look-up of all of them by name. */
#include "runtime/emulator/driver/entry_points.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry_point {
    const char *name;
    int since;
    void *function;
    bool implemented;
};

static const struct entry_point entry_points[] = {
#define ENTRY(name, since, arguments) {#name, since, (void *)name, true},
#define SAME(name, since, target)     {#name, since, (void *)name, true},
#define ABSENT(name, since)           {#name, since, (void *)name, false},
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT
};

/* From this version of CUDA on, the same names may mean other functions. */
#define NEXT_MAJOR_VERSION 14000

enum { ENTRY_POINT_COUNT = sizeof entry_points / sizeof entry_points[0] };

static const struct entry_point *find_exact(const char *symbol)
{
    for (int i = 0; i < ENTRY_POINT_COUNT; i++) {
        if (strcmp(entry_points[i].name, symbol) == 0)
            return &entry_points[i];
    }
    return NULL;
}

/* Reports a missing function once per name. Programs that look functions up by plain name (ctypes) get old 32-bit
 * versions that cuda.h hides by a macro: these are pointed to the one they want. */
static CUresult answer_absent(const char *name, atomic_flag *said)
{
    if (atomic_flag_test_and_set(said))
        return CUDA_ERROR_NOT_SUPPORTED;
    char newer[96];
    snprintf(newer, sizeof newer, "%s_v2", name);
    const struct entry_point *entry = find_exact(newer);
    if (entry && entry->implemented)
        fprintf(stderr, "lockstep: %s is the version for 32-bit addresses, which is not implemented; call %s\n", name,
                newer);
    else
        fprintf(stderr, "lockstep: %s is not implemented by the emulated driver; it returns CUDA_ERROR_NOT_SUPPORTED\n",
                name);
    return CUDA_ERROR_NOT_SUPPORTED;
}

#define ENTRY(name, since, arguments)
#define SAME(name, since, target)
#define ABSENT(name, since)                         \
    CUresult name(void)                             \
    {                                               \
        static atomic_flag said = ATOMIC_FLAG_INIT; \
        return answer_absent(#name, &said);         \
    }
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#undef SAME
#undef ABSENT

/* Libraries that are always stripped, and what their users can do. */
static const struct {
    const char *file, *remedy;
} stripped[] = {{"warp.so", "Warp runs on its CPU device: wp.set_device(\"cpu\")"}};

/* Of whoever called: what to do about NVIDIA's runtime library inside a file that cannot be redirected. */
static const char *find_remedy(const char *path)
{
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof stripped / sizeof stripped[0]; i++) {
        if (strcmp(slash ? slash + 1 : path, stripped[i].file) == 0)
            return stripped[i].remedy;
    }
    return strstr(path, "/site-packages/") || strstr(path, "/dist-packages/") ? "this package needs a GPU for it"
                                                                              : "build it with nvcc -cudart shared";
}

/* NVIDIA's libraries ask for private tables of the driver, which are not documented. NVRTC works without; the runtime
 * library does not, so a request for its table is answered with whose it is and what to do. */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    static const unsigned char of_runtime[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                                 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (!table || !id)
        return CUDA_ERROR_INVALID_VALUE;
    *table = NULL;
    if (memcmp(id->bytes, of_runtime, sizeof of_runtime) == 0 && !atomic_flag_test_and_set(&said)) {
        Dl_info caller;
        bool known = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname;
        const char *path = known ? caller.dli_fname : "this program, or a library that it loads,";
        fprintf(stderr,
                "lockstep: %s has NVIDIA's runtime library built in, which works with NVIDIA's driver only. `lockstep exec` "
                "redirects its calls, but neither those that CUDA 13.0 has not, nor any where a file with kernels is "
                "stripped of its symbols: %s.\n",
                path, find_remedy(path));
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

/* Is what follows the base name in `suffix` only a version ("", "_v2") and the wanted stream form? */
static bool suffix_fits(const char *suffix, bool per_thread)
{
    if (suffix[0] == '_' && suffix[1] == 'v' && suffix[2] >= '0' && suffix[2] <= '9') {
        suffix += 2;
        suffix += strspn(suffix, "0123456789");
    }
    return per_thread ? strcmp(suffix, "_ptsz") == 0 || strcmp(suffix, "_ptds") == 0 : suffix[0] == '\0';
}

/* The newest version of `symbol`, a name without suffix, that `version` of CUDA knows.
 *   exists   out: set when some version of it exists */
static const struct entry_point *find_version(const char *symbol, int version, bool per_thread, bool *exists)
{
    const struct entry_point *best = NULL;
    size_t length = strlen(symbol);
    for (int i = 0; i < ENTRY_POINT_COUNT && !strchr(symbol, '_'); i++) {
        const struct entry_point *entry = &entry_points[i];
        if (strncmp(entry->name, symbol, length) != 0 || !suffix_fits(entry->name + length, per_thread))
            continue;
        *exists = true;
        if (entry->since <= version && (!best || entry->since > best->since))
            best = entry;
    }
    return best;
}

/* Names have no suffix: as with NVIDIA's driver, "cuMemAlloc_v2" is not found. A negative version means the newest.
 */
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    if (!symbol || !function || version >= NEXT_MAJOR_VERSION || flags > 3)
        return CUDA_ERROR_INVALID_VALUE;
    bool exists = false;
    const struct entry_point *entry = NULL;
    if (version < 0)
        version = NEXT_MAJOR_VERSION;
    if (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        entry = find_version(symbol, version, true, &exists);
    if (!entry && !exists) /* most functions have one form for both kinds of default stream */
        entry = find_version(symbol, version, false, &exists);
    if (strcmp(symbol, "cuGraphInstantiate") == 0 && version >= 12000) /* a new meaning without a new suffix */
        entry = find_exact("cuGraphInstantiateWithFlags");
    *function = entry ? entry->function : NULL;
    if (status) {
        *status = entry    ? CU_GET_PROC_ADDRESS_SUCCESS
                  : exists ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                           : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        return CUDA_SUCCESS; /* the caller learns from the status */
    }
    return entry ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}
