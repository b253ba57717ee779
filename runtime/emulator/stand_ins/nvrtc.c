/* NVRTC in front of NVIDIA's: every call is handed on, and whoever asks for machine code gets the PTX, which the emulated
 * driver reads. Compiled once for each major version of the library, whose name it bears (NVRTC_MAJOR). */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/stand_ins/keep_source.h"
#include "runtime/emulator/stand_ins/real.h"

#define TEXT_OF(x)   #x
#define TEXT(x)      TEXT_OF(x)
#define LIBRARY_FILE "libnvrtc.so." TEXT(NVRTC_MAJOR)
#define EXPORT       __attribute__((visibility("default")))

enum { SUCCESS = 0, OUT_OF_MEMORY = 1, INTERNAL_ERROR = 11, PATH_BYTES = 4096, MAX_OPTIONS = 1000 };

/* A program between creation and destruction. */
struct program {
    void *handle;
    char *source, *name;
    char *ptx; /* with the source's kept copy as its file; NULL: not compiled, or NVIDIA's text as it is */
    struct program *next;
};

static struct program *programs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define FAILED(type) ((type)(intptr_t)(sizeof(type) == sizeof(int) ? INTERNAL_ERROR : 0))

/* The functions that only hand on; of the others, how to call NVIDIA's. */
#define NVRTC(type, name, parameters, arguments)                                             \
    EXPORT type name parameters;                                                             \
    type name parameters                                                                     \
    {                                                                                        \
        type(*function) parameters = (type(*) parameters)real_function(LIBRARY_FILE, #name); \
        return function ? function arguments : FAILED(type);                                 \
    }
#define OWN(type, name, parameters, arguments)                                               \
    EXPORT type name parameters;                                                             \
    static type real_##name parameters                                                       \
    {                                                                                        \
        type(*function) parameters = (type(*) parameters)real_function(LIBRARY_FILE, #name); \
        return function ? function arguments : FAILED(type);                                 \
    }
#include "runtime/emulator/stand_ins/nvrtc.def"
#undef NVRTC
#undef OWN

static struct program **find(void *handle)
{
    struct program **at = &programs;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

static void forget(void *handle)
{
    pthread_mutex_lock(&lock);
    struct program **at = find(handle), *program = *at;
    if (program)
        *at = program->next;
    pthread_mutex_unlock(&lock);
    if (!program)
        return;
    free(program->source);
    free(program->name);
    free(program->ptx);
    free(program);
}

int nvrtcCreateProgram(void **handle, const char *source, const char *name, int count, const char *const *headers,
                       const char *const *names)
{
    int result = real_nvrtcCreateProgram(handle, source, name, count, headers, names);
    struct program *program = result == SUCCESS ? calloc(1, sizeof *program) : NULL;
    if (!program)
        return result;
    program->handle = *handle;
    program->source = strdup(source);
    program->name = strdup(name && *name ? name : "default_program");
    pthread_mutex_lock(&lock);
    program->next = programs;
    programs = program;
    pthread_mutex_unlock(&lock);
    return result;
}

int nvrtcDestroyProgram(void **handle)
{
    if (handle)
        forget(*handle);
    return real_nvrtcDestroyProgram(handle);
}

/* Asks for source lines, too, unless the caller decided about them, or wants code for a linker. */
int nvrtcCompileProgram(void *handle, int count, const char *const *options)
{
    static const char *const decides[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug",
                                          "-dlto",     "--dlink-time-opt"};
    const char *more[MAX_OPTIONS + 1];
    if (count < 0 || count > MAX_OPTIONS || (count > 0 && !options))
        return real_nvrtcCompileProgram(handle, count, options);
    bool decided = false;
    for (int i = 0; i < count; i++) {
        more[i] = options[i];
        for (size_t k = 0; options[i] && k < sizeof decides / sizeof *decides; k++)
            decided |= strcmp(options[i], decides[k]) == 0;
    }
    more[count] = "-lineinfo";
    return real_nvrtcCompileProgram(handle, count + !decided, more);
}

/* NVIDIA's PTX; NULL when there is none. The caller frees it. */
static char *real_ptx(void *handle)
{
    size_t bytes = 0;
    char *ptx = real_nvrtcGetPTXSize(handle, &bytes) == SUCCESS && bytes > 1 ? calloc(bytes + 1, 1) : NULL;
    if (ptx && real_nvrtcGetPTX(handle, ptx) == SUCCESS)
        return ptx;
    free(ptx);
    return NULL;
}

/* The PTX whose lines name a file that can be read: a copy of the source, unless the program's name is one. NULL: NVIDIA's
 * will do. Stays the program's. */
static const char *kept_ptx(void *handle)
{
    char copy[PATH_BYTES];
    pthread_mutex_lock(&lock);
    struct program *program = *find(handle);
    if (program && !program->ptx && program->source && program->name && access(program->name, R_OK) != 0
        && keep_source(program->source, strlen(program->source), program->name, copy, sizeof copy) == 0) {
        char *ptx = real_ptx(handle);
        program->ptx = ptx ? keep_source_rename(ptx, program->name, copy) : NULL;
        free(ptx);
    }
    const char *ptx = program ? program->ptx : NULL;
    pthread_mutex_unlock(&lock);
    return ptx;
}

int nvrtcGetPTXSize(void *handle, size_t *bytes)
{
    const char *ptx = bytes ? kept_ptx(handle) : NULL;
    if (!ptx)
        return real_nvrtcGetPTXSize(handle, bytes);
    *bytes = strlen(ptx) + 1;
    return SUCCESS;
}

int nvrtcGetPTX(void *handle, char *text)
{
    const char *ptx = text ? kept_ptx(handle) : NULL;
    if (!ptx)
        return real_nvrtcGetPTX(handle, text);
    strcpy(text, ptx);
    return SUCCESS;
}

/* No machine code: as NVIDIA's says for a virtual architecture. */
int nvrtcGetCUBINSize(void *handle, size_t *bytes)
{
    int result = real_nvrtcGetCUBINSize(handle, bytes);
    return result == SUCCESS && *bytes > 0 ? nvrtcGetPTXSize(handle, bytes) : result;
}

int nvrtcGetCUBIN(void *handle, char *code)
{
    size_t bytes = 0;
    int result = real_nvrtcGetCUBINSize(handle, &bytes);
    return result == SUCCESS && bytes > 0 ? nvrtcGetPTX(handle, code) : real_nvrtcGetCUBIN(handle, code);
}
