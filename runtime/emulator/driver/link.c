/* Entry points: linking. One PTX input passes through: the "linked image" is its text, to be loaded with cuModuleLoadData.
 * Merging several inputs, whose .extern declarations would have to be resolved, is refused. */
#include "runtime/emulator/driver/link.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/image.h"
#include "runtime/emulator/driver/jit_log.h"

struct link {
    CUlinkState handle;
    struct jit_log log;   /* the caller's buffers, which the API wants kept until the link is destroyed */
    char *text;           /* PTX with a NUL; NULL before an input was added */
    size_t length;        /* without the NUL */
};

static void destroy(struct link *link)
{
    handle_destroy(link->handle);
    free(link->text);
    free(link);
}

void link_destroy_all(const struct context *context)
{
    size_t cursor = 0;
    struct link *link;
    while ((link = handle_next(HANDLE_LINK, context, &cursor)) != NULL)
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
static CUresult add(struct link *link, CUjitInputType type, const void *data, size_t bytes, struct diagnostic *diagnostic)
{
    struct image image;
    if (!data || bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
        diagnostic_set(diagnostic, 0, "only PTX can be linked by the emulated driver, no machine code, object or library.");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (link->text) {
        diagnostic_set(diagnostic, 0, "linking more than one input is not implemented by the emulated driver.");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    CUresult result = image_find_ptx(data, bytes, &image, diagnostic);
    if (result != CUDA_SUCCESS)
        return result;
    link->text = malloc(image.length + 1);
    if (link->text) {
        memcpy(link->text, image.text, image.length);
        link->text[image.length] = '\0';
        link->length = image.length;
    }
    image_clear(&image);
    return link->text ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType type, void *data, size_t bytes, const char *name,
                          unsigned option_count, CUjit_option *options, void **values)
{
    (void)name;
    struct link *link;
    struct jit_log ignored;   /* an input's options steer its compilation; logs are asked for at creation */
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS)
        result = jit_log_read(option_count, options, values, &ignored);
    if (result == CUDA_SUCCESS) {
        struct diagnostic diagnostic;
        diagnostic_clear(&diagnostic);
        result = add(link, type, data, bytes, &diagnostic);
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
    if (result == CUDA_SUCCESS && !path)
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
            result = add(link, type, data, bytes, &diagnostic);
        free(data);
        jit_log_write(&link->log, "cuLinkAddFile", result, &diagnostic, 0);
    }
    return driver_leave(result);
}
DRIVER_SAME(cuLinkAddFile, cuLinkAddFile_v2);

CUresult cuLinkComplete(CUlinkState handle, void **image, size_t *bytes)
{
    struct link *link;
    CUresult result = enter(handle, &link);
    if (result == CUDA_SUCCESS && (!image || !link->text))
        result = CUDA_ERROR_INVALID_VALUE;
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
