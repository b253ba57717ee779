#include "runtime/emulator/driver/link_inputs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/device_runtime.h"
#include "runtime/emulator/driver/image.h"
#include "runtime/emulator/driver/object_file.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/language/ptx/merge.h"

void link_inputs_clear(struct link_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        ptx_module_destroy(inputs->inputs[i].module);
        free((char *)inputs->inputs[i].name);
    }
    free(inputs->inputs);
    free(inputs->text);
    *inputs = (struct link_inputs){0};
}

/* What a merge's result means for the link, which cannot be used after a conflict. */
static CUresult result_of(struct link_inputs *inputs, enum ptx_merge_status status)
{
    switch (status) {
    case PTX_MERGE_OK: return CUDA_SUCCESS;
    case PTX_MERGE_CONFLICT: inputs->failed = true; return CUDA_ERROR_INVALID_SOURCE;
    case PTX_MERGE_OUT_OF_MEMORY: break;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

/* Keeps a module, which is owned from then on, even on failure. */
static CUresult keep(struct link_inputs *inputs, struct ptx_module *module, const char *name, struct diagnostic *diagnostic)
{
    char *copy = strdup(name);
    struct ptx_input *grown = realloc(inputs->inputs, (inputs->count + 1) * sizeof *grown);
    if (grown)
        inputs->inputs = grown;
    if (!grown || !copy) {
        free(copy);
        ptx_module_destroy(module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct ptx_input *input = &inputs->inputs[inputs->count++];
    input->module = module;
    input->name = copy;
    return result_of(inputs, ptx_merge_check(inputs->inputs, inputs->count, diagnostic));
}

struct adding {
    struct link_inputs *inputs;
    const char *name;
    struct diagnostic *diagnostic;
    size_t found; /* images in an object file */
};

static CUresult add_image(const void *data, size_t bytes, void *user)
{
    struct adding *adding = user;
    struct image image;
    struct ptx_module *module;
    adding->found++;
    CUresult result = image_find_ptx(data, bytes, &image, adding->diagnostic);
    if (result != CUDA_SUCCESS)
        return result;
    enum ptx_status status = ptx_parse(image.text, image.length, &module, adding->diagnostic);
    image_clear(&image);
    switch (status) {
    case PTX_OK:
        if (!device_runtime_is_nvidias(module))
            return keep(adding->inputs, module, adding->name, adding->diagnostic);
        ptx_module_destroy(module);
        return CUDA_SUCCESS;
    case PTX_INVALID: return CUDA_ERROR_INVALID_PTX;
    case PTX_NOT_PTX: return CUDA_ERROR_INVALID_IMAGE;
    case PTX_NEWER_VERSION: return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    case PTX_OUT_OF_MEMORY: break;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult link_inputs_add(struct link_inputs *inputs, const void *data, size_t bytes, const char *name,
                         struct diagnostic *diagnostic)
{
    struct adding adding = {inputs, name, diagnostic, 0};
    if (!object_file_is(data, bytes))
        return add_image(data, bytes, &adding);
    CUresult result = object_file_each_image(data, bytes, add_image, &adding);
    if (result == CUDA_SUCCESS && adding.found == 0 && !object_file_is_archive(data, bytes))
        return add_image(data, bytes, &adding); /* which says what machine code alone means */
    if (result == CUDA_ERROR_INVALID_IMAGE && adding.found == 0)
        diagnostic_set(diagnostic, 0, "%s is damaged: a length in it is wrong.", name);
    return result;
}

/* Adds our own device runtime where an input calls it. */
static CUresult add_device_runtime(struct link_inputs *inputs, struct diagnostic *diagnostic)
{
    bool called = false;
    for (size_t i = 0; i < inputs->count; i++)
        called |= device_runtime_is_called(inputs->inputs[i].module);
    if (!called)
        return CUDA_SUCCESS;
    char *text = device_runtime_create_text();
    CUresult result = text ? link_inputs_add(inputs, text, strlen(text), "the device runtime", diagnostic)
                           : CUDA_ERROR_OUT_OF_MEMORY;
    free(text);
    return result;
}

CUresult link_inputs_complete(struct link_inputs *inputs, struct diagnostic *diagnostic)
{
    CUresult result = add_device_runtime(inputs, diagnostic);
    if (result != CUDA_SUCCESS)
        return result;
    return result_of(inputs,
                     ptx_merge(inputs->inputs, inputs->count, library_provides, &inputs->text, &inputs->length, diagnostic));
}
