#include "runtime/emulator/graph/user_object.h"

#include <stdint.h>
#include <stdlib.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"

struct user_object {
    CUuserObject handle;
    uint64_t references;
    CUhostFn destroy;
    void *data;
};

struct user_object *user_object_find(CUuserObject handle)
{
    return handle_find(handle, HANDLE_USER_OBJECT);
}

void user_object_retain(struct user_object *object, unsigned count)
{
    object->references += count;
}

void user_object_release(struct user_object *object, unsigned count)
{
    object->references -= count < object->references ? count : object->references;
    if (object->references > 0)
        return;
    CUhostFn destroy = object->destroy;
    void *data = object->data;
    handle_destroy(object->handle);
    free(object);
    driver_call_back(destroy, data);
}

static CUresult create(CUuserObject *handle, void *data, CUhostFn destroy, unsigned references, unsigned flags)
{
    if (!handle || !destroy || references == 0 || references > INT32_MAX || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    struct user_object *object = malloc(sizeof *object);
    if (!object)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *object = (struct user_object){.references = references, .destroy = destroy, .data = data};
    object->handle = handle_create(HANDLE_USER_OBJECT, object, NULL);
    if (!object->handle) {
        free(object);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *handle = object->handle;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectCreate(CUuserObject *handle, void *data, CUhostFn destroy, unsigned references, unsigned flags)
{
    CUresult result = driver_enter_any();
    return driver_leave(result == CUDA_SUCCESS ? create(handle, data, destroy, references, flags) : result);
}

CUresult cuUserObjectRetain(CUuserObject handle, unsigned count)
{
    CUresult result = driver_enter_any();
    struct user_object *object = result == CUDA_SUCCESS ? user_object_find(handle) : NULL;
    if (result == CUDA_SUCCESS && (!object || count == 0 || count > INT32_MAX))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        user_object_retain(object, count);
    return driver_leave(result);
}

CUresult cuUserObjectRelease(CUuserObject handle, unsigned count)
{
    CUresult result = driver_enter_any();
    struct user_object *object = result == CUDA_SUCCESS ? user_object_find(handle) : NULL;
    if (result == CUDA_SUCCESS && (!object || count == 0 || count > INT32_MAX || count > object->references))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        user_object_release(object, count);
    return driver_leave(result);
}
