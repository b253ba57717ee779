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
#include "runtime/emulator/machine/library.h"
#include "runtime/language/ptx/merge.h"

struct link {
    CUlinkState handle;
    struct jit_log log;       /* the caller's buffers, which the API keeps until the link is destroyed */
    struct ptx_input *inputs; /* [input_count], the link owns modules and names */
    size_t input_count;
    bool failed;   /* two inputs define one name */
    char *text;    /* the linked PTX with a NUL; NULL before completion */
    size_t length; /* without the NUL */
};

static void destroy(struct link *link)
{
    handle_destroy(link->handle);
    for (size_t i = 0; i < link->input_count; i++) {
        ptx_module_destroy(link->inputs[i].module);
        free((char *)link->inputs[i].name);
    }
    free(link->inputs);
    free(link->text);
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

/* What a merge's result means for the link, which cannot be used after a conflict. */
static CUresult result_of(struct link *link, enum ptx_merge_status status)
{
    switch (status) {
    case PTX_MERGE_OK: return CUDA_SUCCESS;
    case PTX_MERGE_CONFLICT: link->failed = true; return CUDA_ERROR_INVALID_SOURCE;
    case PTX_MERGE_OUT_OF_MEMORY: break;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Keeps a module, which the link owns from then on, even on failure. */
static CUresult keep(struct link *link, struct ptx_module *module, const char *name, struct diagnostic *diagnostic)
{
    char *copy = strdup(name);
    struct ptx_input *grown = realloc(link->inputs, (link->input_count + 1) * sizeof *grown);
    if (grown)
        link->inputs = grown;
    if (!grown || !copy) {
        free(copy);
        ptx_module_destroy(module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct ptx_input *input = &link->inputs[link->input_count++];
    input->module = module;
    input->name = copy;
    return result_of(link, ptx_merge_check(link->inputs, link->input_count, diagnostic));
}

/* Takes the PTX of an input. */
static CUresult add(struct link *link, CUjitInputType type, const void *data, size_t bytes, const char *name,
                    struct diagnostic *diagnostic)
{
    struct image image;
    struct ptx_module *module;
    if (!data || bytes == 0 || link->text)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
        diagnostic_set(diagnostic, 0, "the emulated driver links PTX only, not machine code, objects or libraries.");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    CUresult result = image_find_ptx(data, bytes, &image, diagnostic);
    if (result != CUDA_SUCCESS)
        return result;
    enum ptx_status status = ptx_parse(image.text, image.length, &module, diagnostic);
    image_clear(&image);
    switch (status) {
    case PTX_OK: return keep(link, module, name, diagnostic);
    case PTX_INVALID: return CUDA_ERROR_INVALID_PTX;
    case PTX_NOT_PTX: return CUDA_ERROR_INVALID_IMAGE;
    case PTX_NEWER_VERSION: return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    case PTX_OUT_OF_MEMORY: break;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
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
        snprintf(number, sizeof number, "input %zu", link->input_count + 1);
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
    if (result == CUDA_SUCCESS && (!path || link->text))
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

static CUresult complete(struct link *link, struct diagnostic *diagnostic)
{
    return result_of(link,
                     ptx_merge(link->inputs, link->input_count, library_provides, &link->text, &link->length, diagnostic));
}

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
    struct link *link;
    struct diagnostic diagnostic;
    diagnostic_clear(&diagnostic);
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS && !image)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && link->text)
        result = CUDA_ERROR_INVALID_HANDLE; /* already complete; the image stays until the link is destroyed */
    else if (result == CUDA_SUCCESS && link->failed)
        result = CUDA_ERROR_INVALID_SOURCE; /* the log already says why */
    else if (result == CUDA_SUCCESS) {
        result = complete(link, &diagnostic);
        jit_log_write(&link->log, "cuLinkComplete", result, &diagnostic, 0);
    }
    if (result == CUDA_SUCCESS) {
        *image = link->text;
        if (bytes)
            *bytes = link->length + 1;
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
