#include "runtime/emulator/driver/device_answers.h"

#include <string.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/copy.h"
#include "runtime/emulator/driver/device.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/function.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/set.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/program.h"

enum { RUNTIME_VERSION = 6000 }; /* as the device runtime of CUDA 13 says, too */

static const struct context *running;

static int runtime_version(void)
{
    return RUNTIME_VERSION;
}

static int attribute(int number, int device, int *value)
{
    if (!driver_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return (int)device_get_attribute(device, number, value);
}

static int limit(int number, uint64_t *value)
{
    enum { LIMIT_NUMBERS = 11 }; /* of CUDA 13 */
    if (number < 0 || number >= LIMIT_NUMBERS)
        return CUDA_ERROR_INVALID_VALUE;
    if (number >= CONTEXT_LIMIT_COUNT || number == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = running->limits[number];
    return CUDA_SUCCESS;
}

/* The driver's record of a kernel, of a module of that context or of a library (NULL); NULL when there is none. */
static const struct function *find_in(const struct context *context, const struct program_function *kernel)
{
    size_t cursor = 0;
    const struct module *module;
    while ((module = handle_next(HANDLE_MODULE, context, &cursor)))
        for (size_t i = 0; module->program == kernel->program && i < module->function_count; i++)
            if (module->functions[i].kernel == kernel)
                return &module->functions[i];
    return NULL;
}

static const struct function *find(const struct program_function *kernel)
{
    const struct function *function = find_in(running, kernel);
    return function ? function : find_in(NULL, kernel);
}

static uint32_t dynamic_shared_limit(const struct program_function *kernel)
{
    const struct function *function = find(kernel);
    return function ? function->dynamic_shared_limit : 0;
}

/* cudaFuncAttributes begins with three sizes of 64 bits; the rest are numbers of 32. */
static void function_words(const struct program_function *kernel, uint32_t words[DEVICE_FUNCTION_WORDS])
{
    static const struct {
        CUfunction_attribute attribute;
        unsigned word;
    } places[] = {
        {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 0}, {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 2},
        {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 4},  {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 6},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, 7},          {CU_FUNC_ATTRIBUTE_PTX_VERSION, 8},
        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, 9},
    };
    const struct function *function = find(kernel);
    memset(words, 0, DEVICE_FUNCTION_WORDS * sizeof *words);
    for (size_t i = 0; function && i < sizeof places / sizeof *places; i++) {
        int value = 0;
        function_get_attribute(function, places[i].attribute, &value);
        words[places[i].word] = (uint32_t)value;
    }
}

/* ---- errors ---- */

struct error {
    int number;
    const char *name, *text;
    uint64_t name_address, text_address; /* in device memory; 0: not there yet */
};

static struct error errors[] = {
#define ERROR(name, number, text) {number, #name, text, 0, 0},
#include "runtime/cuda/runtime_errors.def"
#undef ERROR
    {-1, "unrecognized error code", "unrecognized error code", 0, 0}, /* of any other number */
};
enum { ERROR_COUNT = sizeof errors / sizeof *errors };

static struct error *find_error(int number)
{
    struct error *error = errors;
    while (error < errors + ERROR_COUNT - 1 && error->number != number)
        error++;
    return error;
}

/* Puts a text where kernels can read it, for as long as the process runs. */
static uint64_t place_text(const char *text, uint64_t *address)
{
    struct memory_allocation *allocation = *address ? NULL : memory_allocate(driver.memory, strlen(text) + 1, MEMORY_CONST);
    if (allocation) {
        memcpy(allocation->host, text, strlen(text) + 1);
        *address = allocation->address;
    }
    return *address;
}

static uint64_t error_name(int number)
{
    struct error *error = find_error(number);
    return place_text(error->name, &error->name_address);
}

static uint64_t error_text(int number)
{
    struct error *error = find_error(number);
    return place_text(error->text, &error->text_address);
}

/* ---- copies and fills ---- */

static int copy(const char *call, const struct device_box *box)
{
    CUDA_MEMCPY3D request = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                             .srcDevice = box->from,
                             .srcPitch = box->from_pitch,
                             .srcHeight = box->from_slice,
                             .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                             .dstDevice = box->to,
                             .dstPitch = box->to_pitch,
                             .dstHeight = box->to_slice,
                             .WidthInBytes = box->width,
                             .Height = box->height,
                             .Depth = box->depth};
    return (int)copy_box_run(call, &request);
}

static int fill(const char *call, const struct device_box *box)
{
    CUresult result = CUDA_SUCCESS;
    for (uint64_t slice = 0; slice < box->depth && result == CUDA_SUCCESS; slice++) {
        CUDA_MEMSET_NODE_PARAMS request = {.dst = box->to + slice * box->to_pitch * box->to_slice,
                                           .pitch = box->to_pitch,
                                           .value = box->value,
                                           .elementSize = 1,
                                           .width = box->width,
                                           .height = box->height};
        result = set_run(call, &request);
    }
    return (int)result;
}

const struct device_port *device_answers_for(const struct context *context)
{
    static const struct device_port port = {.device_count = driver_device_count,
                                            .runtime_version = runtime_version,
                                            .attribute = attribute,
                                            .limit = limit,
                                            .function_words = function_words,
                                            .dynamic_shared_limit = dynamic_shared_limit,
                                            .error_name = error_name,
                                            .error_text = error_text,
                                            .copy = copy,
                                            .fill = fill};
    running = context;
    return &port;
}
