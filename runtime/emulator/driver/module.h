/* Modules and their functions, behind the handles CUmodule, CUlibrary, CUfunction and CUkernel. All functions expect the
 * driver's lock to be held. */
#ifndef EMULATOR_MODULE_H
#define EMULATOR_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/diagnostic.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/decode/program.h"
#include "runtime/emulator/driver/context.h"

struct module;

enum { FUNCTION_PARTS_BYTES = 4096 }; /* parameters that a launch by parts can have */

/* What cuFuncSetBlockShape, cuParamSet… and similar leave for cuLaunch. */
struct function_parts {
    uint32_t block[3];
    uint32_t shared_bytes;
    uint8_t parameters[FUNCTION_PARTS_BYTES];
};

struct function {
    CUfunction handle; /* NULL until requested */
    const struct program_function *kernel;
    struct module *module;
    uint32_t dynamic_shared_limit; /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as set; 0 never set */
    int carveout;                  /* CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT; -1 no preference */
    struct function_parts parts;
};

struct module {
    CUmodule handle;
    struct context *context; /* NULL: a library, which every context can use */
    struct program *program;
    struct function *functions; /* [function_count], by position in the program */
    size_t function_count;
    unsigned device; /* on which it was loaded: there are its variables */
};

/* Loads an image into a context; NULL: as a library.
 *   call     name of the entry point, for messages
 *   bytes    how much of data may be read; SIZE_MAX unknown
 *   options  as cuModuleLoadDataEx takes them
 * Failures are described in the caller's log, or on stderr. */
CUresult module_load(struct context *context, const char *call, const void *data, size_t bytes, unsigned option_count,
                     const CUjit_option *options, void **values, CUmodule *handle);

/* The same from a file. */
CUresult module_load_file(struct context *context, const char *call, const char *path, unsigned option_count,
                          const CUjit_option *options, void **values, CUmodule *handle);

/* The live module or library behind a handle; NULL when there is none. Its context need not be current. */
struct module *module_find(CUmodule handle);

/* The live function behind a handle; NULL when there is none. */
struct function *function_find(CUfunction handle);

/* The function with that name. NULL when the module has none, or when out of memory. Its handle is made if missing. */
struct function *module_get_function(struct module *module, const char *name);
struct function *module_function_at(struct module *module, size_t position);

/* Writes the handles of the first `count` functions. OUT_OF_MEMORY. */
CUresult module_list_functions(struct module *module, CUfunction *functions, unsigned count);

/* Address and size of a variable; either may be NULL. NOT_FOUND. */
CUresult module_get_variable(const struct module *module, const char *name, CUdeviceptr *address, size_t *bytes);

void module_destroy(struct module *module);
void module_destroy_all(const struct context *context);

#endif
