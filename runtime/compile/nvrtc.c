#include "runtime/compile/nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/search.h"

#define OLDEST_MAJOR 12
#define NEWEST_MAJOR 13

static const char how_to_get_it[] = "Run ci/setup, or install CUDA Toolkit 12 or 13, or pip install nvidia-cuda-nvrtc and "
                                    "set LOCKSTEP_NVRTC to the folder of "
                                    "libnvrtc.so. `lockstep doctor` shows what is found.";

/* Tried by the dynamic linker after all files: newest first, and one that is too old, so that the message can say so. */
static const char *const sonames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "libnvrtc.so.11.2"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct nvrtc loaded; /* library != NULL once loaded; never unloaded: NVRTC keeps its own state */

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Fills candidates; returns false when the dynamic linker may not be asked afterwards. */
static bool list_candidates(struct search *search)
{
    char folder[SEARCH_PATH_BYTES];
    search->count = 0;
    const char *forced = environment("LOCKSTEP_NVRTC");
    if (forced) {
        if (search_is_folder(forced))
            search_add(search, forced, "libnvrtc.so*");
        else if (strcmp(forced, "none") != 0 && strlen(forced) < SEARCH_PATH_BYTES)
            snprintf(search->paths[search->count++], SEARCH_PATH_BYTES, "%s", forced);
        return false;
    }
    if (search_program_folder(folder)) {
        search_add(search, folder, "nvrtc/nvidia/*/lib/libnvrtc.so*");
        search_add(search, folder, "../nvrtc/nvidia/*/lib/libnvrtc.so*");
        search_add(search, folder, "../../nvrtc/nvidia/*/lib/libnvrtc.so*");
    }
    static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
    for (size_t at = 0; at < sizeof homes / sizeof homes[0]; at++) {
        if (environment(homes[at])) {
            search_add(search, environment(homes[at]), "lib64/libnvrtc.so*");
            search_add(search, environment(homes[at]), "lib/libnvrtc.so*");
        }
    }
    search_add(search, "/usr/local", "cuda*/lib64/libnvrtc.so*");
    search_add(search, "/opt", "cuda*/lib64/libnvrtc.so*");
    search_add(search, "/usr/lib", "*-linux-gnu/libnvrtc.so*");
    search_add(search, "/usr/lib64", "libnvrtc.so*");
    return true;
}

static bool identify_file(const char *path, struct nvrtc_identity *identity)
{
    struct stat information;
    memset(identity, 0, sizeof *identity);
    if (stat(path, &information) != 0 || !S_ISREG(information.st_mode))
        return false;
    snprintf(identity->path, sizeof identity->path, "%s", path);
    identity->bytes = information.st_size;
    identity->modified_ns = information.st_mtim.tv_sec * INT64_C(1000000000) + information.st_mtim.tv_nsec;
    identity->inode = (int64_t)information.st_ino;
    return true;
}

static bool has_file(const char *folder, const char *name)
{
    char path[SEARCH_PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

/* The toolkit's headers: complete with CCCL, which cooperative_groups.h needs, else at least cuda_fp16.h. */
static void find_include_folders(struct nvrtc *nvrtc)
{
    static const char *const places[] = {"../include", "../../include", "../../cuda_runtime/include", "../../../include"};
    char folder[2][SEARCH_PATH_BYTES]; /* of the library as named, and of the file that the link points to */
    snprintf(folder[0], sizeof folder[0], "%s", nvrtc->identity.path);
    char *real = realpath(nvrtc->identity.path, NULL);
    snprintf(folder[1], sizeof folder[1], "%s", real ? real : "");
    free(real);
    struct search search = {.count = 0};
    for (size_t which = 0; which < 2; which++) {
        char *slash = strrchr(folder[which], '/');
        if (!slash)
            continue;
        *slash = '\0';
        for (size_t at = 0; at < sizeof places / sizeof places[0]; at++)
            search_add(&search, folder[which], places[at]);
    }
    if (strncmp(nvrtc->identity.path, "/usr/lib", 8) == 0)
        search_add(&search, "/usr", "include");

    const char *best = NULL;
    bool complete_set = false;
    for (size_t at = 0; at < search.count; at++) {
        if (!has_file(search.paths[at], "cuda_fp16.h"))
            continue;
        if (!best)
            best = search.paths[at];
        if (has_file(search.paths[at], "nv/target") || has_file(search.paths[at], "cccl/nv/target")) {
            best = search.paths[at];
            complete_set = true;
            break;
        }
    }
    if (!best || (!complete_set && nvrtc->install_headers)) /* then the library's own set is the better one */
        return;
    snprintf(nvrtc->include[0], sizeof nvrtc->include[0], "%s", best);
    if (has_file(best, "cccl/nv/target"))
        snprintf(nvrtc->include[1], sizeof nvrtc->include[1], "%.*s/cccl", (int)sizeof nvrtc->include[1] - 6, best);
}

/* NVRTC opens its builtins library by name; from a folder that the dynamic linker does not search, that works only when
 * they are already loaded. A failure shows when the compiler is used. */
static void load_builtins(const struct nvrtc *nvrtc)
{
    char path[SEARCH_PATH_BYTES + 64];
    const char *library = nvrtc->identity.path, *slash = strrchr(library, '/');
    if (!slash)
        return;
    /* Under its whole name: a confined program may open files here, but not list them. */
    snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - library), library, nvrtc->version / 100,
             nvrtc->version % 100);
    dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool resolve(struct nvrtc *nvrtc, const char **missing)
{
    const struct {
        const char *name;
        void *member;
    } entries[] = {
        {"nvrtcGetNumSupportedArchs", &nvrtc->count_architectures},
        {"nvrtcGetSupportedArchs", &nvrtc->list_architectures},
        {"nvrtcGetErrorString", &nvrtc->error_string},
        {"nvrtcCreateProgram", &nvrtc->create},
        {"nvrtcDestroyProgram", &nvrtc->destroy},
        {"nvrtcCompileProgram", &nvrtc->compile},
        {"nvrtcGetProgramLogSize", &nvrtc->log_bytes},
        {"nvrtcGetProgramLog", &nvrtc->log},
        {"nvrtcGetPTXSize", &nvrtc->ptx_bytes},
        {"nvrtcGetPTX", &nvrtc->ptx},
    };
    for (size_t at = 0; at < sizeof entries / sizeof entries[0]; at++) {
        void *address = dlsym(nvrtc->library, entries[at].name);
        if (!address) {
            *missing = entries[at].name;
            return false;
        }
        memcpy(entries[at].member, &address, sizeof address);
    }
    void *address = dlsym(nvrtc->library, "nvrtcInstallBundledHeaders");
    memcpy(&nvrtc->install_headers, &address, sizeof address);
    return true;
}

/* Checks a library that dlopen() has opened, and completes `nvrtc`. */
static lockstep_status complete(struct nvrtc *nvrtc, const char *name, lockstep_error *error)
{
    void *address = dlsym(nvrtc->library, "nvrtcVersion");
    memcpy(&nvrtc->version_of, &address, sizeof address);
    int major = 0, minor = 0;
    if (!nvrtc->version_of || nvrtc->version_of(&major, &minor) != NVRTC_OK)
        return error_set(error, LOCKSTEP_NO_COMPILER, "nvrtcVersion", how_to_get_it,
                         "%s is not NVRTC: it does not report a version", name);

    Dl_info information;
    if (!dladdr(address, &information) || !identify_file(information.dli_fname, &nvrtc->identity))
        snprintf(nvrtc->identity.path, sizeof nvrtc->identity.path, "%s", name);
    if (major < OLDEST_MAJOR || major > NEWEST_MAJOR)
        return error_set(error, LOCKSTEP_NO_COMPILER, "nvrtcVersion", how_to_get_it,
                         "%s is NVRTC %d.%d; this kit supports major versions %d and %d", nvrtc->identity.path, major, minor,
                         OLDEST_MAJOR, NEWEST_MAJOR);
    nvrtc->version = major * 100 + minor;

    const char *missing = NULL;
    if (!resolve(nvrtc, &missing))
        return error_set(error, LOCKSTEP_NO_COMPILER, "dlsym", how_to_get_it, "%s (NVRTC %d.%d) has no %s",
                         nvrtc->identity.path, major, minor, missing);
    int count = 0;
    if (nvrtc->count_architectures(&count) != NVRTC_OK || count < 1 || count > NVRTC_MAX_ARCHITECTURES
        || nvrtc->list_architectures(nvrtc->architectures) != NVRTC_OK)
        return error_set(error, LOCKSTEP_NO_COMPILER, "nvrtcGetSupportedArchs", how_to_get_it,
                         "%s (NVRTC %d.%d) does not report what it can compile for", nvrtc->identity.path, major, minor);
    nvrtc->architecture_count = count;
    load_builtins(nvrtc);
    find_include_folders(nvrtc);
    return LOCKSTEP_OK;
}

/* Tries one library. Returns false; the error is set only for the first failure that the user can act on. */
static bool try_library(const char *name, bool is_file, struct nvrtc *nvrtc, lockstep_error *error, bool *told)
{
    memset(nvrtc, 0, sizeof *nvrtc);
    nvrtc->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!nvrtc->library) {
        if (is_file && !*told) {
            const char *reason = dlerror();
            error_set(error, LOCKSTEP_NO_COMPILER, "dlopen", how_to_get_it, "NVRTC cannot be loaded: %s",
                      reason ? reason : name);
            *told = true;
        }
        return false;
    }
    if (complete(nvrtc, name, *told ? NULL : error) == LOCKSTEP_OK)
        return true;
    *told = true;
    dlclose(nvrtc->library);
    return false;
}

static lockstep_status load(struct nvrtc *nvrtc, lockstep_error *error)
{
    struct search search;
    bool told = false;
    bool ask_linker = list_candidates(&search);
    for (size_t at = 0; at < search.count; at++)
        if (try_library(search.paths[at], true, nvrtc, error, &told))
            return LOCKSTEP_OK;
    for (size_t at = 0; ask_linker && at < sizeof sonames / sizeof sonames[0]; at++)
        if (try_library(sonames[at], false, nvrtc, error, &told))
            return LOCKSTEP_OK;
    if (told)
        return LOCKSTEP_NO_COMPILER;
    const char *forced = environment("LOCKSTEP_NVRTC");
    if (forced && strcmp(forced, "none") == 0)
        return error_set(error, LOCKSTEP_NO_COMPILER, "dlopen", "Unset the variable.",
                         "LOCKSTEP_NVRTC=none switches NVRTC off");
    if (forced)
        return error_set(error, LOCKSTEP_NO_COMPILER, "dlopen", how_to_get_it, "no libnvrtc.so in LOCKSTEP_NVRTC=%s",
                         forced);
    return error_set(error, LOCKSTEP_NO_COMPILER, "dlopen", how_to_get_it,
                     "no libnvrtc.so.13 or libnvrtc.so.12 in the build's nvrtc folder or in a CUDA Toolkit");
}

lockstep_status nvrtc_get(const struct nvrtc **nvrtc, lockstep_error *error)
{
    lockstep_status status = LOCKSTEP_OK;
    pthread_mutex_lock(&lock);
    if (!loaded.library) {
        struct nvrtc candidate;
        status = load(&candidate, error);
        if (status == LOCKSTEP_OK)
            loaded = candidate;
    }
    pthread_mutex_unlock(&lock);
    if (status == LOCKSTEP_OK)
        *nvrtc = &loaded;
    return status;
}

bool nvrtc_identify(struct nvrtc_identity *identity)
{
    pthread_mutex_lock(&lock);
    bool known = loaded.library != NULL;
    if (known)
        *identity = loaded.identity;
    pthread_mutex_unlock(&lock);
    if (known)
        return identity->bytes > 0;
    struct search search;
    list_candidates(&search);
    for (size_t at = 0; at < search.count; at++)
        if (identify_file(search.paths[at], identity))
            return true;
    return false;
}

bool lockstep_compiler_is_first(const char *path)
{
    struct nvrtc_identity first;
    return nvrtc_identify(&first) && strcmp(first.path, path) == 0;
}
