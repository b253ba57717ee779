/* Lockstep's own entry points: see lockstep_driver.h. */
#include "runtime/emulator/lockstep_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/decode/repair.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/link_inputs.h"
#include "runtime/emulator/driver/module.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/observe/poison/poison.h"

DRIVER_EXPORT lockstep_driver_interface_fn lockstepDriverInterface;
DRIVER_EXPORT lockstep_name_memory_fn lockstepNameMemory;
DRIVER_EXPORT lockstep_poison_memory_fn lockstepPoisonMemory;
DRIVER_EXPORT lockstep_protect_memory_fn lockstepProtectMemory;
DRIVER_EXPORT lockstep_written_memory_fn lockstepWrittenMemory;
DRIVER_EXPORT lockstep_set_schedule_fn lockstepSetSchedule;
DRIVER_EXPORT lockstep_set_work_fn lockstepSetWork;
DRIVER_EXPORT lockstep_work_done_fn lockstepWorkDone;
DRIVER_EXPORT lockstep_set_repair_fn lockstepSetRepair;
DRIVER_EXPORT lockstep_module_source_fn lockstepModuleSource;
DRIVER_EXPORT lockstep_link_create_fn lockstepLinkCreate;
DRIVER_EXPORT lockstep_link_add_fn lockstepLinkAdd;
DRIVER_EXPORT lockstep_link_complete_fn lockstepLinkComplete;
DRIVER_EXPORT lockstep_link_destroy_fn lockstepLinkDestroy;

int lockstepDriverInterface(void)
{
    return LOCKSTEP_DRIVER_INTERFACE;
}

/* Enters and finds the live allocation that contains the range. */
static CUresult enter(uint64_t address, uint64_t bytes, struct memory_allocation **allocation)
{
    CUresult result = driver_enter_any();
    if (result != CUDA_SUCCESS)
        return result;
    if (!memory_translate(driver.memory, address, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    *allocation = memory_find(driver.memory, address);
    return CUDA_SUCCESS;
}

int lockstepNameMemory(uint64_t address, const char *name, unsigned element_bytes, uint64_t columns)
{
    struct memory_allocation *allocation;
    CUresult result = enter(address, 1, &allocation);
    if (result == CUDA_SUCCESS && !name)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        snprintf(allocation->name, sizeof allocation->name, "%s", name);
        allocation->element_bytes = element_bytes;
        allocation->columns = columns;
    }
    return (int)driver_leave(result);
}

int lockstepPoisonMemory(uint64_t address, uint64_t bytes)
{
    struct memory_allocation *allocation;
    CUresult result = enter(address, bytes, &allocation);
    if (result == CUDA_SUCCESS) {
        memory_mark_poison(allocation, address - allocation->address, bytes);
        poison_forget(allocation);
    }
    return (int)driver_leave(result);
}

int lockstepProtectMemory(uint64_t address, int read_only)
{
    struct memory_allocation *allocation;
    CUresult result = enter(address, 1, &allocation);
    if (result == CUDA_SUCCESS)
        allocation->read_only = read_only != 0;
    return (int)driver_leave(result);
}

/* Fills in 1 and 0 runs by looking for the next poison byte, which is fast where all was written. */
static void copy_valid(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes, uint8_t *valid)
{
    uint64_t end = offset + bytes;
    for (uint64_t at = offset; at < end;) {
        uint64_t poison = memory_first_poison(allocation, at, end - at);
        memset(valid + (at - offset), 1, poison - at);
        for (at = poison; at < end && !memory_is_written(allocation, at); at++)
            valid[at - offset] = 0;
    }
}

int lockstepWrittenMemory(uint64_t address, uint64_t bytes, uint8_t *valid)
{
    struct memory_allocation *allocation;
    CUresult result = enter(address, bytes, &allocation);
    if (result == CUDA_SUCCESS && !valid)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && driver.settings->checks < CHECKS_POISON)
        result = CUDA_ERROR_NOT_SUPPORTED;
    if (result == CUDA_SUCCESS) {
        poison_look(allocation, address - allocation->address, bytes);
        copy_valid(allocation, address - allocation->address, bytes, valid);
    }
    return (int)driver_leave(result);
}

int lockstepSetSchedule(const char *name)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (!name || !schedule_find(name)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        late_finish(); /* in the order in which it was issued */
    if (result == CUDA_SUCCESS && !settings_set_schedule(name))
        result = CUDA_ERROR_NOT_SUPPORTED;
    return (int)driver_leave(result);
}

int lockstepSetWork(uint64_t units)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS)
        work_grant(units);
    return (int)driver_leave(result);
}

uint64_t lockstepWorkDone(void)
{
    return work_done;
}

int lockstepSetRepair(const char *request)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS
        && (!request || strlen(request) >= sizeof driver.settings->repair || !repair_is_request(request)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        settings_set_repair(request);
    return (int)driver_leave(result);
}

int lockstepModuleSource(void *handle, const char *text, uint64_t bytes)
{
    CUresult result = driver_enter_any();
    struct module *module = result == CUDA_SUCCESS ? module_find(handle) : NULL;
    if (result == CUDA_SUCCESS && !module)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (result == CUDA_SUCCESS && (!text || memchr(text, 0, bytes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !program_set_source(module->program, text, bytes))
        result = CUDA_ERROR_OUT_OF_MEMORY;
    return (int)driver_leave(result);
}

/* Linking needs nothing of the driver's state, so it takes no lock. */
void *lockstepLinkCreate(void)
{
    return calloc(1, sizeof(struct link_inputs));
}

static int tell(CUresult result, const struct diagnostic *diagnostic, char *message, uint64_t capacity)
{
    if (message && capacity > 0)
        snprintf(message, capacity, "%s", result == CUDA_SUCCESS ? "" : diagnostic->message);
    return (int)result;
}

int lockstepLinkAdd(void *link, const void *data, uint64_t bytes, const char *name, char *message, uint64_t capacity)
{
    struct diagnostic diagnostic;
    diagnostic_clear(&diagnostic);
    CUresult result = link && data && bytes > 0 && name ? link_inputs_add(link, data, bytes, name, &diagnostic)
                                                        : CUDA_ERROR_INVALID_VALUE;
    return tell(result, &diagnostic, message, capacity);
}

int lockstepLinkComplete(void *link, const char **text, uint64_t *length, char *message, uint64_t capacity)
{
    struct diagnostic diagnostic;
    struct link_inputs *inputs = link;
    diagnostic_clear(&diagnostic);
    CUresult result = CUDA_ERROR_INVALID_VALUE;
    if (inputs && text && length)
        result = inputs->text ? CUDA_SUCCESS : link_inputs_complete(inputs, &diagnostic);
    if (result == CUDA_SUCCESS) {
        *text = inputs->text;
        *length = inputs->length;
    }
    return tell(result, &diagnostic, message, capacity);
}

void lockstepLinkDestroy(void *link)
{
    if (link)
        link_inputs_clear(link);
    free(link);
}
