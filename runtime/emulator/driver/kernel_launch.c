/* Entry points: launching kernels. A launch has run when the call returns; its failure is returned by the next call. */
#include "runtime/emulator/driver/kernel_launch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/call_log.h"
#include "runtime/emulator/driver/capture_port.h"
#include "runtime/emulator/driver/device_answers.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/event.h"
#include "runtime/emulator/driver/host_wait.h"
#include "runtime/emulator/driver/module.h"
#include "runtime/emulator/driver/stored.h"
#include "runtime/emulator/driver/stream.h"
#include "runtime/emulator/driver/stream_work.h"
#include "runtime/emulator/driver/texture_object.h"
#include "runtime/emulator/driver/unchecked.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/emulator/execute/executor_select.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/launch.h"
#include "runtime/emulator/machine/launch_limits.h"
#include "runtime/emulator/observe/explain/explain.h"
#include "runtime/emulator/observe/observers.h"
#include "runtime/emulator/observe/record/extents.h"

/* Says what is wrong with the parameters of a launch. */
__attribute__((format(printf, 2, 3))) static CUresult refuse(const struct program_function *kernel, const char *format, ...)
{
    struct finding finding;
    memset(&finding, 0, sizeof finding);
    finding.code = FINDING_launch;
    finding.count = 1;
    snprintf(finding.kernel, sizeof finding.kernel, "%s", kernel->name);
    int length = snprintf(finding.message, sizeof finding.message, "not launched because the parameters are wrong: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding.message + length, sizeof finding.message - (size_t)length, format, arguments);
    va_end(arguments);
    finding_report(&finding);
    return CUDA_ERROR_INVALID_VALUE;
}

/* Gathers the parameters that kernelParams points to, each at its place in the block. */
static CUresult gather(const struct program_function *kernel, void **parameters, uint8_t *block)
{
    if (!parameters && kernel->parameter_count > 0)
        return refuse(kernel, "kernelParams and extra are both NULL, but the number of the kernel's parameters is %u.",
                      kernel->parameter_count);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        if (!parameters[i])
            return refuse(kernel, "kernelParams[%u] is NULL; it must point to a value of %u bytes.", i,
                          kernel->parameters[i].bytes);
        memcpy(block + kernel->parameters[i].offset, parameters[i], kernel->parameters[i].bytes);
    }
    return CUDA_SUCCESS;
}

/* Copies the block that `extra` describes. */
static CUresult copy_extra(const struct program_function *kernel, void **extra, uint8_t *block)
{
    const void *buffer = NULL;
    const size_t *bytes = NULL;
    for (void **item = extra; *item != CU_LAUNCH_PARAM_END; item += 2) {
        if (*item == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = item[1];
        else if (*item == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = item[1];
        else
            return refuse(kernel, "extra contains the unknown key %p.", *item);
    }
    if (kernel->parameter_bytes == 0)
        return CUDA_SUCCESS;
    if (!buffer || !bytes)
        return refuse(kernel, "extra lacks the buffer or its size.");
    if (*bytes < kernel->parameter_bytes)
        return refuse(kernel, "the buffer in extra has %zu bytes; the kernel takes %u.", *bytes, kernel->parameter_bytes);
    memcpy(block, buffer, kernel->parameter_bytes);
    return CUDA_SUCCESS;
}

static uint32_t limit_of(const struct context *context, CUlimit limit)
{
    size_t value = context->limits[limit];
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* The live function of a call, if the context may use it; else NULL. A library's variables are on the device on which it was
 * loaded, so its kernels run there. */
static const struct function *find_function(const struct context *context, const struct kernel_launch *call)
{
    static bool said;
    const struct function *function = function_find(call->function);
    const struct module *module = function ? function->module : NULL;
    if (!module || (module->context && module->context != context))
        return NULL;
    if (module->context || module->device == (unsigned)context->device)
        return function;
    if (!said)
        fprintf(stderr,
                "lockstep: the kernel %s was loaded on device %u and cannot be launched on device %d. Is the stream one of "
                "another device than the current one? The emulated driver also wants a library (cuLibraryLoadData) to be "
                "loaded once for each device, while it is current\n",
                function->kernel->name, module->device, context->device);
    said = true;
    return NULL;
}

CUresult kernel_launch_gather(const struct context *context, const struct kernel_launch *call, const struct function **found,
                              uint8_t **block)
{
    const struct function *function = find_function(context, call);
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    const struct program_function *kernel = function->kernel;
    if (call->parameters && call->extra)
        return refuse(kernel, "both kernelParams and extra were given.");
    *found = function;
    *block = calloc(1, kernel->parameter_bytes > 0 ? kernel->parameter_bytes : 1);
    if (!*block)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = call->extra ? copy_extra(kernel, call->extra, *block) : gather(kernel, call->parameters, *block);
    if (result != CUDA_SUCCESS)
        free(*block);
    return result;
}

static struct launch_request request_of(const struct context *context, const struct function *function,
                                        const struct kernel_launch *call, const uint8_t *block)
{
    return (struct launch_request){
        .function = function->kernel,
        .profile = driver.profile,
        .memory = driver.memory,
        .device = (unsigned)context->device,
        .reach = context->peers | 1u << context->device,
        .grid = {call->grid[0], call->grid[1], call->grid[2]},
        .block = {call->block[0], call->block[1], call->block[2]},
        .cluster = {call->cluster[0], call->cluster[1], call->cluster[2]},
        .dynamic_shared_bytes = call->shared_bytes,
        .dynamic_shared_limit = function->dynamic_shared_limit,
        .parameters = block,
        .cooperative = call->cooperative,
        .printf_bytes = limit_of(context, CU_LIMIT_PRINTF_FIFO_SIZE),
        .stack_bytes = limit_of(context, CU_LIMIT_STACK_SIZE),
        .heap_bytes = limit_of(context, CU_LIMIT_MALLOC_HEAP_SIZE),
        .executor = executor_select(driver.settings->isa, true),
        .hooks = &observers,
        .words = &explain_words,
        .find_texture = texture_object_find,
        .port = device_answers_for(context),
    };
}

static bool is_shared(uint64_t address)
{
    const struct memory_allocation *allocation = memory_find(driver.memory, address);
    return allocation && !allocation->freed && allocation->kind == MEMORY_HOST;
}

/* A launch that is looked at before its parameters have been checked. */
struct look {
    const struct program_function *kernel;
    const struct kernel_launch *call;
};

/* Is the parameter there an address in memory that the host shares? If anything is amiss with the parameters, the launch will
 * say so. */
static bool is_shared_parameter(const void *data, uint64_t offset)
{
    const struct look *look = data;
    uint64_t value = 0;
    for (uint32_t i = 0; look->call->parameters && i < look->kernel->parameter_count; i++) {
        const struct program_parameter *parameter = &look->kernel->parameters[i];
        if (look->call->parameters[i] && offset >= parameter->offset
            && offset + sizeof value <= parameter->offset + parameter->bytes)
            memcpy(&value, (const uint8_t *)look->call->parameters[i] + (offset - parameter->offset), sizeof value);
    }
    const uint8_t *buffer = NULL;
    size_t bytes = 0;
    for (void **item = look->call->extra; item && *item != CU_LAUNCH_PARAM_END; item += 2) {
        if (*item == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = item[1];
        else if (*item == CU_LAUNCH_PARAM_BUFFER_SIZE && item[1])
            bytes = *(const size_t *)item[1];
        else
            break;
    }
    if (buffer && offset + sizeof value <= bytes)
        memcpy(&value, buffer + offset, sizeof value);
    return is_shared(value);
}

static bool may_wait(const struct context *context, const struct stream_work *work)
{
    const struct function *function = unordered_shares_memory() ? find_function(context, &work->kernel) : NULL;
    if (!function)
        return false;
    const struct program_function *kernel = function->kernel;
    struct look look = {kernel, &work->kernel};
    return host_wait_is_possible(kernel->program->module, kernel->program->module->functions[kernel->index],
                                 is_shared_parameter, &look);
}

CUresult kernel_launch_check(struct context *context, const struct kernel_launch *call)
{
    const struct function *function = find_function(context, call);
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    struct launch_request request = request_of(context, function, call, NULL);
    struct finding refusal = {.count = 0};
    request.refusal = &refusal;
    enum launch_status status = launch_limits_check(&request);
    if (refusal.count > 0)
        unchecked_refused(&refusal);
    return context_after_launch(context, status);
}

static void count_stores(void *data, const struct extents_use *use)
{
    (void)data;
    stored_by_launch(use);
    for (int manner = 0; manner < EXTENTS_MANNER_COUNT; manner++)
        free(use->lists[manner]);
}

/* executed   out: instructions of all warps */
static CUresult run_block(struct context *context, const struct kernel_launch *call, const uint8_t *block,
                          uint64_t *executed)
{
    const struct function *function = find_function(context, call);
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    struct launch_request request = request_of(context, function, call, block);
    unchecked_launched(function->kernel->name);
    memory_choose_device(driver.memory, (unsigned)context->device); /* a graph may have nodes on several */
    bool recorded = unordered_matters(), counted = stored_is_wanted();
    extents_want(recorded || counted);
    struct finding refusal = {.count = 0};
    *executed = 0;
    request.executed = executed;
    request.refusal = &refusal;
    enum launch_status status = launch_run(&request);
    if (refusal.count > 0)
        unchecked_refused(&refusal);
    if (recorded)
        unordered_launched(function->kernel->name);
    else if (counted && !extents_take(count_stores, NULL))
        stored_is_incomplete();
    return context_after_launch(context, status);
}

CUresult kernel_launch_run_block(struct context *context, const struct kernel_launch *call, const uint8_t *block)
{
    const struct function *function = find_function(context, call);
    uint64_t executed = 0;
    if (function)
        call_log_launched(function->kernel->name, call->grid, call->block);
    CUresult result = run_block(context, call, block, &executed);
    call_log_executed(executed);
    return result;
}

static CUresult prepare(struct context *context, struct stream_work *work, void **memory, bool *at_once)
{
    const struct function *function;
    uint8_t *block = NULL;
    CUresult result = kernel_launch_check(context, &work->kernel);
    if (result == CUDA_SUCCESS)
        result = kernel_launch_gather(context, &work->kernel, &function, &block);
    if (result == CUDA_SUCCESS)
        call_log_launched(function->kernel->name, work->kernel.grid, work->kernel.block);
    work->kernel.parameters = work->kernel.extra = NULL;
    *memory = block;
    *at_once = false;
    return result;
}

static void run_later(struct context *context, const struct stream_work *work, void *memory)
{
    uint64_t executed;                                    /* the call has ended: it cannot be said of it */
    run_block(context, &work->kernel, memory, &executed); /* a failure stays with the context */
}

const struct work_manner kernel_launch_manner = {.prepare = prepare, .run = run_later, .may_wait = may_wait};

CUresult kernel_launch_run(struct context *context, const struct kernel_launch *call)
{
    const struct function *function;
    uint8_t *block;
    CUresult result = kernel_launch_gather(context, call, &function, &block);
    if (result != CUDA_SUCCESS)
        return result;
    result = kernel_launch_run_block(context, call, block);
    free(block);
    return result;
}

static CUresult enter_and_launch(const struct kernel_launch *call)
{
    struct context *context;
    bool recorded;
    struct stream_work work = {.manner = &kernel_launch_manner, .type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = *call};
    CUresult result = stream_submit(call->stream, &work, &context, &recorded);
    return driver_leave(result == CUDA_SUCCESS && !recorded ? kernel_launch_run(context, call) : result);
}

CUresult cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **parameters,
                        void **extra)
{
    struct kernel_launch call = {
        handle, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, parameters, extra, false};
    return enter_and_launch(&call);
}
DRIVER_SAME(cuLaunchKernel_ptsz, cuLaunchKernel);

CUresult cuLaunchCooperativeKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                   unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
                                   void **parameters)
{
    struct kernel_launch call = {
        handle, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, stream, parameters, NULL, true};
    return enter_and_launch(&call);
}
DRIVER_SAME(cuLaunchCooperativeKernel_ptsz, cuLaunchCooperativeKernel);

/* Applies the attributes that have a meaning here. Hints, and requests for an order that holds anyway, need
 * nothing. *completed is the event to mark when the launch has run; NULL. */
static CUresult apply_attributes(const CUlaunchConfig *config, struct kernel_launch *call, CUevent *completed)
{
    *completed = NULL;
    if (config->numAttrs > 0 && !config->attrs)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttributeValue *value = &config->attrs[i].value;
        switch (config->attrs[i].id) {
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: call->cooperative = value->cooperative != 0; break;
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
            if (!value->clusterDim.x || !value->clusterDim.y || !value->clusterDim.z)
                return CUDA_ERROR_INVALID_VALUE;
            call->cluster[0] = value->clusterDim.x;
            call->cluster[1] = value->clusterDim.y;
            call->cluster[2] = value->clusterDim.z;
            break;
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: /* a wish, beside the dimension that must be possible */ break;
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: *completed = value->programmaticEvent.event; break;
        case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: *completed = value->launchCompletionEvent.event; break;
        case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: return CUDA_ERROR_NOT_SUPPORTED;
        case CU_LAUNCH_ATTRIBUTE_IGNORE:
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: break;
        default: return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction handle, void **parameters, void **extra)
{
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    struct kernel_launch call = {handle,
                                 {config->gridDimX, config->gridDimY, config->gridDimZ},
                                 {config->blockDimX, config->blockDimY, config->blockDimZ},
                                 config->sharedMemBytes,
                                 config->hStream,
                                 parameters,
                                 extra,
                                 false};
    struct context *context;
    CUevent completed = NULL;
    CUresult result = stream_enter(call.stream, &context);
    const struct function *function = driver.initialised ? function_find(handle) : NULL;
    if (function)
        unchecked_launching(function->kernel->name);
    if (result == CUDA_SUCCESS)
        result = apply_attributes(config, &call, &completed);
    if (result == CUDA_SUCCESS && completed && !event_exists(completed))
        result = CUDA_ERROR_INVALID_HANDLE;
    bool recorded = false;
    if (result == CUDA_SUCCESS) {
        struct stream_work work = {.manner = &kernel_launch_manner, .type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = call};
        result = stream_put(call.stream, context, &work, &recorded);
    }
    bool is_captured = capture_port && capture_port->is_captured(call.stream);
    if (result == CUDA_SUCCESS && is_captured && completed)
        result = capture_port->record(call.stream, context, completed, 0, &recorded);
    if (result == CUDA_SUCCESS && !recorded)
        result = kernel_launch_run(context, &call);
    if (result == CUDA_SUCCESS && !is_captured && completed)
        result = event_record_in(completed, context, call.stream);
    return driver_leave(result);
}
DRIVER_SAME(cuLaunchKernelEx_ptsz, cuLaunchKernelEx);
