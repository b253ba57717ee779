#include "runtime/emulator/math_libraries/base/operand.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *driver_function(const char *name)
{
    void *function = dlsym(RTLD_DEFAULT, name);
    if (!function)
        fprintf(stderr, "lockstep: the emulated driver is not loaded; start the program with `lockstep exec`\n");
    return function;
}

void *operand(const char *call, void *stream, const void *pointer, uint64_t width, uint64_t pitch, uint64_t rows, int access)
{
    return operand_growing(call, stream, pointer, width, 0, pitch, rows, access);
}

void *operand_growing(const char *call, void *stream, const void *pointer, uint64_t width, int64_t growth, uint64_t pitch,
                      uint64_t rows, int access)
{
    void *host = NULL;
    lockstep_operand_fn *find = (lockstep_operand_fn *)driver_function(LOCKSTEP_OPERAND_NAME);
    if (!find || find(call, stream, (uint64_t)(uintptr_t)pointer, width, growth, pitch, rows, access, &host) != 0)
        return NULL;
    return host;
}

bool operand_context(void)
{
    void *context = NULL;
    int (*init)(unsigned) = driver_function("cuInit");
    int (*current)(void **) = driver_function("cuCtxGetCurrent");
    int (*retain)(void **, int) = driver_function("cuDevicePrimaryCtxRetain");
    int (*set)(void *) = driver_function("cuCtxSetCurrent");
    if (!init || !current || !retain || !set || init(0) != 0 || current(&context) != 0)
        return false;
    return context || (retain(&context, 0) == 0 && set(context) == 0);
}

bool operand_is_known(const void *pointer)
{
    enum { MEMORY_TYPE = 2 }; /* CU_POINTER_ATTRIBUTE_MEMORY_TYPE */
    unsigned type = 0;
    int (*attribute)(void *, int, uint64_t) = driver_function("cuPointerGetAttribute");
    return attribute && attribute(&type, MEMORY_TYPE, (uint64_t)(uintptr_t)pointer) == 0 && type != 0;
}

void refuse(const char *library, const char *what)
{
    enum { NAMES = 64, LENGTH = 96 };
    static char said[NAMES][LENGTH];
    static int count;
    static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;
    char line[LENGTH];
    snprintf(line, sizeof line, "%s: %s", library, what);
    pthread_mutex_lock(&saying);
    int i = 0;
    while (i < count && strcmp(said[i], line) != 0)
        i++;
    if (i == count) {
        fprintf(stderr, "lockstep: the emulated device's %s does not offer %s\n", library, what);
        if (count < NAMES)
            memcpy(said[count++], line, sizeof line);
    }
    pthread_mutex_unlock(&saying);
}
