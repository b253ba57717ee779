#include "runtime/emulator/driver/context.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/driver/context_stack.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/settings/settings.h"

static struct context primaries[MEMORY_DEVICES];
static uint64_t last_id;

void context_set_defaults(struct context *context)
{
    /* the values that NVIDIA's driver starts with on these devices */
    static const size_t initial[CONTEXT_LIMIT_COUNT] = {
        [CU_LIMIT_STACK_SIZE] = 1024,
        [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,
        [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20,
        [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
        [CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64,
    };
    for (int i = 0; i < CONTEXT_LIMIT_COUNT; i++)
        context->limits[i] = initial[i];
    context->cache = CU_FUNC_CACHE_PREFER_NONE;
    context->shared_config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    context->failure = CUDA_SUCCESS;
    context->peers = 0;
    memset(context->default_stream, 0, sizeof context->default_stream);
}

CUresult context_get_usable(struct context **context)
{
    CUcontext handle = context_stack_top();
    if (!handle)
        return CUDA_ERROR_INVALID_CONTEXT;
    *context = context_find(handle);
    if (!*context || !(*context)->active)
        return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return (*context)->failure;
}

struct context *context_find(CUcontext handle)
{
    return handle_find(handle, HANDLE_CONTEXT);
}

CUresult context_after_launch(struct context *context, enum launch_status status)
{
    switch (status) {
    case LAUNCH_OK: return CUDA_SUCCESS;
    case LAUNCH_REFUSED: return CUDA_ERROR_INVALID_VALUE;
    case LAUNCH_OUT_OF_RESOURCES: return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case LAUNCH_BAD_CLUSTER: return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    case LAUNCH_TOO_LARGE: return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    case LAUNCH_OUT_OF_MEMORY: return CUDA_ERROR_OUT_OF_MEMORY;
    case LAUNCH_ILLEGAL_ADDRESS:
        if (!settings_get()->continue_after_fault)
            context->failure = CUDA_ERROR_ILLEGAL_ADDRESS;
        return CUDA_SUCCESS;
    case LAUNCH_MISALIGNED: context->failure = CUDA_ERROR_MISALIGNED_ADDRESS; return CUDA_SUCCESS;
    case LAUNCH_ASSERT: context->failure = CUDA_ERROR_ASSERT; return CUDA_SUCCESS;
    case LAUNCH_TIMEOUT: context->failure = CUDA_ERROR_LAUNCH_TIMEOUT; return CUDA_SUCCESS;
    case LAUNCH_FAILED: break;
    }
    context->failure = CUDA_ERROR_LAUNCH_FAILED;
    return CUDA_SUCCESS;
}

struct context *context_create(unsigned flags, CUdevice device)
{
    struct context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->handle = handle_create(HANDLE_CONTEXT, context, NULL);
    if (!context->handle) {
        free(context);
        return NULL;
    }
    context->active = true;
    context->device = device;
    context->retain_count = 1;
    context->flags = flags;
    context->api_version = 3020;
    context->id = ++last_id;
    context_set_defaults(context);
    return context;
}

struct context *context_get_primary(CUdevice device)
{
    struct context *primary = &primaries[device];
    if (!primary->handle) {
        primary->handle = handle_create(HANDLE_CONTEXT, primary, NULL);
        if (!primary->handle)
            return NULL;
        primary->primary = true;
        primary->device = device;
        primary->api_version = 3020;
        primary->id = ++last_id;
        context_set_defaults(primary);
    }
    return primary;
}
