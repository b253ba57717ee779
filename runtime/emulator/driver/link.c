/* Entry points: linking. The inputs are PTX, and so is the "linked image": one module with the contents of all, to be loaded
 * with cuModuleLoadData. */
#include "runtime/emulator/driver/link.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/image.h"
#include "runtime/emulator/driver/jit_log.h"
#include "runtime/emulator/driver/link_inputs.h"

struct link {
    CUlinkState handle;
    struct jit_log log; /* the caller's buffers, which the API keeps until the link is destroyed */
    struct link_inputs inputs;
};

static void destroy(struct link *link)
{
    handle_destroy(link->handle);
    link_inputs_clear(&link->inputs);
    free(link);
}

void link_destroy_all(const struct context *context)
{
    size_t cursor = 0;
    struct link *link;
    while ((link = handle_next(HANDLE_LINK, context, &cursor)))
        destroy(link);
}

static CUresult create(const struct context *context, unsigned option_count, const CUjit_option *options, void **values,
                       CUlinkState *handle)
{
    struct jit_log log;
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = jit_log_read(option_count, options, values, &log);
    if (result != CUDA_SUCCESS)
        return result;
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return CUDA_ERROR_OUT_OF_MEMORY;
    link->log = log;
    link->handle = handle_create(HANDLE_LINK, link, context);
    if (!link->handle) {
        free(link);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *handle = link->handle;
    return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned option_count, CUjit_option *options, void **values, CUlinkState *handle)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    return driver_leave(result == CUDA_SUCCESS ? create(context, option_count, options, values, handle) : result);
}
DRIVER_SAME(cuLinkCreate, cuLinkCreate_v2);

/* Enters and finds the link. */
static CUresult enter(CUlinkState handle, struct link **link)
{
    struct context *context;
    CUresult result = driver_enter(&context);
    if (result != CUDA_SUCCESS)
        return result;
    *link = handle_find(handle, HANDLE_LINK);
    return *link ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Takes the PTX of an input. */
static CUresult add(struct link *link, CUjitInputType type, const void *data, size_t bytes, const char *name,
                    struct diagnostic *diagnostic)
{
    if (!data || bytes == 0 || link->inputs.text)
        return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_JIT_INPUT_CUBIN && memcmp(data, "\177ELF", bytes < 4 ? bytes : 4) == 0) {
        diagnostic_set(diagnostic, 0, "%s is machine code for one GPU; the emulated driver links PTX.", name);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    return link_inputs_add(&link->inputs, data, bytes, name, diagnostic);
}

CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *name,
                          unsigned option_count, CUjit_option *options, void **values)
{
    char number[32];
    struct link *link;
    struct jit_log ignored; /* an input's options steer its compilation; logs are requested at creation */
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS)
        result = jit_log_read(option_count, options, values, &ignored);
    if (result == CUDA_SUCCESS) {
        struct diagnostic diagnostic;
        diagnostic_clear(&diagnostic);
        snprintf(number, sizeof number, "input %zu", link->inputs.count + 1);
        result = add(link, type, data, bytes, name ? name : number, &diagnostic);
        jit_log_write(&link->log, "cuLinkAddData", result, &diagnostic, 0);
    }
    return driver_leave(result);
}
DRIVER_SAME(cuLinkAddData, cuLinkAddData_v2);

CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType type, const char *path, unsigned option_count,
                          CUjit_option *options, void **values)
{
    struct link *link;
    struct jit_log ignored;
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS && (!path || link->inputs.text))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = jit_log_read(option_count, options, values, &ignored);
    if (result == CUDA_SUCCESS) {
        struct diagnostic diagnostic;
        char *data = NULL;
        size_t bytes;
        diagnostic_clear(&diagnostic);
        result = image_read_file(path, &data, &bytes, &diagnostic);
        if (result == CUDA_SUCCESS)
            result = add(link, type, data, bytes, path, &diagnostic);
        free(data);
        jit_log_write(&link->log, "cuLinkAddFile", result, &diagnostic, 0);
    }
    return driver_leave(result);
}
DRIVER_SAME(cuLinkAddFile, cuLinkAddFile_v2);

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
    struct link *link;
    struct diagnostic diagnostic;
    diagnostic_clear(&diagnostic);
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS && !image)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && link->inputs.text)
        result = CUDA_ERROR_INVALID_HANDLE; /* already complete; the image stays until the link is destroyed */
    else if (result == CUDA_SUCCESS && link->inputs.failed)
        result = CUDA_ERROR_INVALID_SOURCE; /* the log already says why */
    else if (result == CUDA_SUCCESS) {
        result = link_inputs_complete(&link->inputs, &diagnostic);
        jit_log_write(&link->log, "cuLinkComplete", result, &diagnostic, 0);
    }
    if (result == CUDA_SUCCESS) {
        *image = link->inputs.text;
        if (bytes)
            *bytes = link->inputs.length + 1;
    }
    return driver_leave(result);
}

CUresult cuLinkDestroy(CUlinkState handle)
{
    struct link *link;
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS)
        destroy(link);
    return driver_leave(result);
}
