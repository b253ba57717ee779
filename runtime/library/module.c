#include "runtime/library/handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/printable.h"
#include "runtime/language/demangle.h"
#include "runtime/language/ptx/summary.h"

struct lockstep_module {
    lockstep_device *device;
    CUmodule handle;
    struct ptx_summary summary;
    lockstep_kernel *kernels; /* those that were asked for */
};

/* The driver compiles the PTX; its messages are in `log`. */
static CUresult load_image(const struct driver *driver, const char *image, char *log, size_t log_bytes, CUmodule *handle)
{
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)log_bytes};
    log[0] = '\0';
    CUresult result = driver->cuModuleLoadDataEx(handle, image, 2, options, values);
    log[log_bytes - 1] = '\0';
    return result;
}

static lockstep_status load_text(lockstep_module *module, const char *image, lockstep_error *error)
{
    char log[4096], shown[700] = "";
    const struct driver *driver = &module->device->driver;
    CUresult result = load_image(driver, image, log, sizeof log, &module->handle);
    size_t length = strlen(log);
    while (length > 0 && strchr(" \n\r\t", log[length - 1]))
        length--;
    printable_append(shown, sizeof shown, log, length);
    return driver_check(driver, result, "cuModuleLoadDataEx", error, "loading a module on %s%s%s", module->device->info.name,
                        shown[0] ? ": " : "", shown);
}

lockstep_status lockstep_module_load(lockstep_device *device, const char *ptx, size_t ptx_bytes, lockstep_module **module,
                                     lockstep_error *error)
{
    *module = NULL;
    if (!ptx)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_module_load",
                         "Compile first, and read the diagnostics.", "there is no PTX");
    lockstep_module *loaded = calloc(1, sizeof *loaded);
    char *image = malloc(ptx_bytes + 1);
    lockstep_status status = LOCKSTEP_OUT_OF_MEMORY;
    /* A text that the summary cannot follow is the driver's to judge: it says what is wrong with it. */
    if (loaded && image && ptx_summary_read(ptx, ptx_bytes, &loaded->summary, NULL) != PTX_OUT_OF_MEMORY) {
        memcpy(image, ptx, ptx_bytes);
        image[ptx_bytes] = '\0';
        loaded->device = device;
        status = load_text(loaded, image, error);
    } else {
        error_host_memory(error, "lockstep_module_load", ptx_bytes);
    }
    free(image);
    if (status == LOCKSTEP_OK)
        *module = loaded;
    else if (loaded)
        ptx_summary_clear(&loaded->summary);
    if (status != LOCKSTEP_OK)
        free(loaded);
    return status;
}

void lockstep_module_unload(lockstep_module *module)
{
    if (!module)
        return;
    module->device->driver.cuModuleUnload(module->handle);
    while (module->kernels) {
        lockstep_kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        free(kernel->name);
        free(kernel);
    }
    ptx_summary_clear(&module->summary);
    free(module);
}

void lockstep_module_source(lockstep_module *module, const char *source, size_t bytes)
{
    const struct driver *driver = &module->device->driver;
    if (driver->module_source)
        driver->module_source(module->handle, source, bytes);
}

lockstep_status lockstep_module_compile(lockstep_device *device, const char *source, const char *file_name,
                                        lockstep_compiled *compiled, lockstep_module **module, lockstep_error *error)
{
    *module = NULL;
    lockstep_compiled own;
    lockstep_compiled *result = compiled ? compiled : &own;
    memset(result, 0, sizeof *result);
    lockstep_compile_request request = {.source = source,
                                        .source_bytes = source ? strlen(source) : 0,
                                        .file_name = file_name,
                                        .major = device->info.major,
                                        .minor = device->info.minor};
    lockstep_status status = lockstep_compile(&request, result, error);
    if (status == LOCKSTEP_OK)
        status = lockstep_module_load(device, result->ptx, result->ptx_bytes, module, error);
    if (status == LOCKSTEP_OK && *module)
        lockstep_module_source(*module, result->seen ? result->seen : source,
                               result->seen ? strlen(result->seen) : request.source_bytes);
    if (!compiled)
        lockstep_compiled_clear(&own);
    return status;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------ */

/* Finds a kernel by its PTX name, else by its name in the source. NULL when there is none; *ambiguous: because overloads
 * share the name. */
static const struct ptx_entry *find_entry(const struct ptx_summary *summary, const char *name, bool *ambiguous)
{
    const struct ptx_entry *match = ptx_summary_entry(summary, name);
    *ambiguous = false;
    if (match)
        return match;
    for (size_t at = 0; at < summary->entry_count; at++) {
        size_t length;
        const char *source_name = demangle_plain(summary->entries[at].name, &length);
        if (length != strlen(name) || memcmp(source_name, name, length) != 0)
            continue;
        *ambiguous |= match != NULL;
        match = &summary->entries[at];
    }
    return *ambiguous ? NULL : match;
}

static lockstep_status report_unknown_kernel(const lockstep_module *module, const char *name, bool ambiguous,
                                             lockstep_error *error)
{
    char list[700] = "";
    for (size_t at = 0; at < module->summary.entry_count; at++) {
        size_t length;
        const char *source_name = demangle_plain(module->summary.entries[at].name, &length);
        if (ambiguous) {
            source_name = module->summary.entries[at].name;
            length = strlen(source_name);
        }
        printable_append(list, sizeof list, at > 0 ? ", " : "", at > 0 ? 2 : 0);
        printable_append(list, sizeof list, source_name, length);
    }
    if (ambiguous)
        return error_set(error, LOCKSTEP_NOT_FOUND, "cuModuleGetFunction",
                         "Rename the overloads, or ask for one by its full name in the PTX.",
                         "several kernels are called `%.100s`; the module defines: %s", name, list);
    return error_set(error, LOCKSTEP_NOT_FOUND, "cuModuleGetFunction",
                     "Check the spelling, and that it is a __global__ function.",
                     "kernel `%.100s` not found; the module defines%s%s", name, list[0] ? ": " : " no kernel", list);
}

static lockstep_status read_kernel(lockstep_kernel *kernel, lockstep_error *error)
{
    lockstep_device *device = kernel->device;
    const struct {
        CUfunction_attribute attribute;
        int *value;
    } attributes[] = {
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &kernel->info.max_threads_per_block},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, &kernel->info.registers},
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &kernel->info.shared_bytes},
        {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &kernel->info.constant_bytes},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &kernel->info.local_bytes},
    };
    for (size_t at = 0; at < sizeof attributes / sizeof attributes[0]; at++) {
        CUresult result = device->driver.cuFuncGetAttribute(attributes[at].value, attributes[at].attribute, kernel->handle);
        if (result != CUDA_SUCCESS)
            return driver_check(&device->driver, result, "cuFuncGetAttribute", error, "reading attribute %d of kernel `%s`",
                                (int)attributes[at].attribute, kernel->name);
    }
    /* up to this size a launch needs no opt-in: the device's default limit less what the kernel declares statically */
    int free_bytes = device->info.shared_per_block - kernel->info.shared_bytes;
    kernel->dynamic_shared_granted = free_bytes > 0 ? (uint32_t)free_bytes : 0;
    return LOCKSTEP_OK;
}

static lockstep_status make_kernel(lockstep_module *module, const struct ptx_entry *entry, lockstep_kernel **kernel,
                                   lockstep_error *error)
{
    const struct driver *driver = &module->device->driver;
    size_t length;
    const char *source_name = demangle_plain(entry->name, &length);
    lockstep_kernel *made = calloc(1, sizeof *made);
    char *name = strndup(source_name, length);
    lockstep_status status = LOCKSTEP_OUT_OF_MEMORY;
    if (made && name) {
        made->device = module->device;
        made->name = name;
        made->entry = entry;
        status = driver_check(driver, driver->cuModuleGetFunction(&made->handle, module->handle, entry->name),
                              "cuModuleGetFunction", error, "looking up kernel `%s`", name);
        if (status == LOCKSTEP_OK)
            status = read_kernel(made, error);
    } else {
        error_host_memory(error, "lockstep_module_kernel", sizeof *made);
    }
    if (status != LOCKSTEP_OK) {
        free(name);
        free(made);
        return status;
    }
    made->next = module->kernels;
    module->kernels = made;
    *kernel = made;
    return LOCKSTEP_OK;
}

lockstep_status lockstep_module_kernel(lockstep_module *module, const char *name, lockstep_kernel **kernel,
                                       lockstep_error *error)
{
    *kernel = NULL;
    bool ambiguous;
    const struct ptx_entry *entry = find_entry(&module->summary, name, &ambiguous);
    if (!entry)
        return report_unknown_kernel(module, name, ambiguous, error);
    return make_kernel(module, entry, kernel, error);
}

lockstep_status lockstep_kernel_get_info(lockstep_kernel *kernel, lockstep_kernel_info *info, lockstep_error *error)
{
    if (!kernel || !info)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_kernel_get_info", NULL,
                         "kernel and info must not be NULL");
    *info = kernel->info;
    return LOCKSTEP_OK;
}

lockstep_status lockstep_module_variable(lockstep_module *module, const char *name, uint64_t *address, size_t *bytes,
                                         lockstep_error *error)
{
    const struct driver *driver = &module->device->driver;
    CUdeviceptr found = 0;
    size_t size = 0;
    CUresult result = driver->cuModuleGetGlobal(&found, &size, module->handle, name);
    if (result == CUDA_ERROR_NOT_FOUND) { /* a static or const variable has a mangled name: _ZL5table */
        char mangled[512];
        snprintf(mangled, sizeof mangled, "_ZL%zu%.400s", strlen(name), name);
        result = driver->cuModuleGetGlobal(&found, &size, module->handle, mangled);
    }
    lockstep_status status = driver_check(driver, result, "cuModuleGetGlobal", error, "looking up variable `%.100s`", name);
    if (status == LOCKSTEP_OK) {
        if (address)
            *address = found;
        if (bytes)
            *bytes = size;
    }
    return status;
}

lockstep_status lockstep_module_set_variable(lockstep_module *module, const char *name, size_t offset,
                                             const lockstep_buffer *buffer, size_t from, size_t bytes, lockstep_error *error)
{
    uint64_t address = 0;
    size_t room = 0;
    lockstep_status status = lockstep_module_variable(module, name, &address, &room, error);
    if (status != LOCKSTEP_OK)
        return status;
    if (offset > room || bytes > room - offset || from > buffer->bytes || bytes > buffer->bytes - from)
        return error_set(error, LOCKSTEP_INVALID_ARGUMENT, "lockstep_module_set_variable", "Copy at most what both hold.",
                         "%zu bytes at offset %zu do not fit `%.100s`, which has %zu bytes", bytes, offset, name, room);
    const struct driver *driver = &module->device->driver;
    return driver_check(driver, driver->cuMemcpyDtoD(address + offset, buffer->address + from, bytes), "cuMemcpyDtoD", error,
                        "copying %zu bytes to variable `%.100s`", bytes, name);
}
