/* Finding and loading NVRTC, NVIDIA's run-time compiler for CUDA C. Internal to the runtime.
 *
 * Searched, first hit wins:
 *   1. LOCKSTEP_NVRTC: a library or a folder that holds one, and nothing else is searched; "none" switches the search off
 *   2. the wheel's folder of the build: nvrtc/nvidia/.../lib beside the executable or up to two folders above it
 *   3. CUDA_HOME, CUDA_PATH, then /usr/local/cuda, /usr/local/cuda-*, /opt/cuda (newest first), the system's library folder
 *   4. the dynamic linker, by soname
 */
#ifndef RUNTIME_NVRTC_H
#define RUNTIME_NVRTC_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/lockstep.h"

typedef struct nvrtc_program *nvrtc_program;

/* The values of nvrtcResult that we distinguish. */
enum {
    NVRTC_OK = 0,
    NVRTC_OUT_OF_MEMORY = 1,
    NVRTC_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_INVALID_INPUT = 3,
    NVRTC_INVALID_OPTION = 5,
    NVRTC_COMPILATION = 6,
    NVRTC_BUILTIN_OPERATION_FAILURE = 7,
};

#define NVRTC_MAX_ARCHITECTURES 64

/* Identifies a library without loading it: for the cache's key. */
struct nvrtc_identity {
    char path[512];                    /* "" when only the dynamic linker knows */
    int64_t bytes, modified_ns, inode; /* of the file */
};

struct nvrtc {
    void *library;
    struct nvrtc_identity identity;                                 /* of the file that was loaded */
    int version;                                                    /* 100 * major + minor: 1305 for 13.5 */
    int architectures[NVRTC_MAX_ARCHITECTURES], architecture_count; /* 80 for compute_80, rising */
    char include[2][512];                                           /* folders with the toolkit's own headers; "" none */

    int (*version_of)(int *major, int *minor);
    int (*count_architectures)(int *count);
    int (*list_architectures)(int *architectures);
    const char *(*error_string)(int result);
    int (*create)(nvrtc_program *program, const char *source, const char *name, int header_count, const char *const *headers,
                  const char *const *header_names);
    int (*destroy)(nvrtc_program *program);
    int (*compile)(nvrtc_program program, int option_count, const char *const *options);
    int (*log_bytes)(nvrtc_program program, size_t *bytes); /* with the NUL */
    int (*log)(nvrtc_program program, char *text);
    int (*ptx_bytes)(nvrtc_program program, size_t *bytes); /* with the NUL */
    int (*ptx)(nvrtc_program program, char *text);
    int (*install_headers)(const char *folder, unsigned flags, const char **message); /* NULL before 13.2 */
};

/* The loaded NVRTC, loading it at the first call. It stays loaded and is never freed. A failure is not remembered.
 * LOCKSTEP_NO_COMPILER: none found, unloadable, or a major version other than 12 and 13. */
lockstep_status nvrtc_get(const struct nvrtc **nvrtc, lockstep_error *error);

/* What nvrtc_get() would load first, or has loaded. Loads nothing. Returns false when the file system does not say. */
bool nvrtc_identify(struct nvrtc_identity *identity);

#endif
