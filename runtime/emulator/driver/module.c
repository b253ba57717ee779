#include "runtime/emulator/driver/module.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/jit_log.h"
#include "runtime/emulator/driver/prelinked.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/execute/executor_select.h"

static CUresult result_of(enum program_status status)
{
    switch (status) {
    case PROGRAM_OK: return CUDA_SUCCESS;
    case PROGRAM_INVALID_PTX: return CUDA_ERROR_INVALID_PTX;
    case PROGRAM_NOT_PTX: return CUDA_ERROR_INVALID_IMAGE;
    case PROGRAM_UNSUPPORTED_VERSION: return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    case PROGRAM_OUT_OF_MEMORY: break;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Makes the module of a loaded program, which it owns from then on, even on failure. */
static struct module *create(struct context *context, struct program *program)
{
    size_t count = program_function_count(program);
    struct module *module = calloc(1, sizeof *module);
    struct function *functions = calloc(count > 0 ? count : 1, sizeof *functions);
    CUmodule handle = module && functions ? handle_create(HANDLE_MODULE, module, context) : NULL;
    if (!handle) {
        free(functions);
        free(module);
        program_destroy(program);
        return NULL;
    }
    *module = (struct module){handle, context, program, functions, count, memory_chosen_device(driver.memory)};
    for (size_t i = 0; i < count; i++)
        functions[i] = (struct function){.kernel = program_function_at(program, i), .module = module, .carveout = -1};
    return module;
}

/* Finds the PTX and makes the module. */
static CUresult load_image(struct context *context, const void *data, size_t bytes, CUmodule *handle,
                           struct diagnostic *diagnostic)
{
    struct image image;
    CUresult result = prelinked_find_ptx(data, bytes, &image, diagnostic);
    if (result != CUDA_SUCCESS)
        return result;
    struct program *program;
    const struct executor *executor = executor_select(driver.settings->isa, settings_observe(driver.settings));
    result =
        result_of(program_load(image.text, image.length, driver.memory, driver.profile, executor, &program, diagnostic));
    image_clear(&image);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        diagnostic_set(diagnostic, 0, "out of memory");
    if (result != CUDA_SUCCESS)
        return result;
    call_log_module(program->module);
    struct module *module = create(context, program);
    if (!module)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < program->variable_count; i++)
        if (program->variables[i].allocation->kind == MEMORY_HOST) /* a managed variable */
            unordered_share_memory();
    *handle = module->handle;
    return CUDA_SUCCESS;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

CUresult module_load(struct context *context, const char *call, const void *data, size_t bytes, unsigned option_count,
                     const CUjit_option *options, void **values, CUmodule *handle)
{
    struct jit_log log;
    if (!handle || !data)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = jit_log_read(option_count, options, values, &log);
    if (result != CUDA_SUCCESS)
        return result;
    struct diagnostic diagnostic;
    diagnostic_clear(&diagnostic);
    double start_ms = now_ms();
    result = load_image(context, data, bytes, handle, &diagnostic);
    jit_log_write(&log, call, result, &diagnostic, now_ms() - start_ms);
    return result;
}

CUresult module_load_file(struct context *context, const char *call, const char *path, unsigned option_count,
                          const CUjit_option *options, void **values, CUmodule *handle)
{
    if (!handle || !path)
        return CUDA_ERROR_INVALID_VALUE;
    struct diagnostic diagnostic;
    diagnostic_clear(&diagnostic);
    char *data;
    size_t bytes;
    CUresult result = image_read_file(path, &data, &bytes, &diagnostic);
    if (result != CUDA_SUCCESS) {
        struct jit_log log;
        if (jit_log_read(option_count, options, values, &log) == CUDA_SUCCESS)
            jit_log_write(&log, call, result, &diagnostic, 0);
        return result;
    }
    result = module_load(context, call, data, bytes, option_count, options, values, handle);
    free(data);
    return result;
}

struct module *module_find(CUmodule handle)
{
    return handle_find(handle, HANDLE_MODULE);
}

struct function *function_find(CUfunction handle)
{
    return handle_find(handle, HANDLE_FUNCTION);
}

struct function *module_function_at(struct module *module, size_t position)
{
    if (position >= module->function_count)
        return NULL;
    struct function *function = &module->functions[position];
    if (!function->handle)
        function->handle = handle_create(HANDLE_FUNCTION, function, module->context);
    return function->handle ? function : NULL;
}

struct function *module_get_function(struct module *module, const char *name)
{
    const struct program_function *kernel = program_find_function(module->program, name);
    for (size_t i = 0; kernel && i < module->function_count; i++) {
        if (module->functions[i].kernel == kernel)
            return module_function_at(module, i);
    }
    return NULL;
}

CUresult module_list_functions(struct module *module, CUfunction *functions, unsigned count)
{
    for (unsigned i = 0; i < count && i < module->function_count; i++) {
        const struct function *function = module_function_at(module, i);
        if (!function)
            return CUDA_ERROR_OUT_OF_MEMORY;
        functions[i] = function->handle;
    }
    return CUDA_SUCCESS;
}

CUresult module_get_variable(const struct module *module, const char *name, CUdeviceptr *address, size_t *bytes)
{
    if (!name || (!address && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    struct program_variable *variable = program_find_variable(module->program, name);
    if (!variable || !variable->allocation)
        return CUDA_ERROR_NOT_FOUND;
    variable->asked_for = true;
    if (address)
        *address = variable->allocation->address;
    if (bytes)
        *bytes = variable->allocation->bytes;
    return CUDA_SUCCESS;
}

void module_destroy(struct module *module)
{
    for (size_t i = 0; i < module->function_count; i++)
        handle_destroy(module->functions[i].handle);
    handle_destroy(module->handle);
    program_destroy(module->program);
    free(module->functions);
    free(module);
}

void module_destroy_all(const struct context *context)
{
    size_t cursor = 0;
    struct module *module;
    while ((module = handle_next(HANDLE_MODULE, context, &cursor)))
        module_destroy(module);
}
