#include "runtime/emulator/machine/kernel_memory.h"

#include <stdio.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/work.h"

const uint8_t *kernel_memory_translate(struct warp *warp, uint64_t address, uint64_t bytes, unsigned lane)
{
    if ((address & WINDOW_MASK) == LOCAL_WINDOW) {
        uint64_t offset = address - LOCAL_WINDOW;
        return offset + bytes <= warp->launch->stack_local ? warp->local + (size_t)lane * warp->local_stride + offset : NULL;
    }
    return memory_translate(warp->launch->request->memory, address, bytes);
}

uint64_t kernel_memory_allocate(struct warp *warp, const struct operation *operation, uint64_t bytes, const char *name)
{
    struct launch *launch = warp->launch;
    bool fits = bytes && bytes <= launch->request->heap_bytes && launch->heap_used + bytes <= launch->request->heap_bytes;
    struct memory_allocation *allocation = fits ? memory_allocate(launch->request->memory, bytes, MEMORY_DEVICE) : NULL;
    if (!allocation) {
        if (!launch->refused_malloc) {
            launch->refused_malloc = operation;
            launch->refused_bytes = bytes;
            launch->refused_used = launch->heap_used;
        }
        return 0;
    }
    work_add(WORK_PAGE * (bytes / 4096));
    snprintf(allocation->name, sizeof allocation->name, "%s", name);
    allocation->in_heap = true;
    launch->heap_used += bytes;
    return allocation->address;
}

/* A kernel cannot free its parameters or variables, nor memory of the host. */
bool kernel_memory_free(struct warp *warp, uint64_t address)
{
    struct launch *launch = warp->launch;
    const struct memory_allocation *allocation = address ? memory_find(launch->request->memory, address) : NULL;
    if (!allocation || allocation->freed || allocation->address != address || allocation->kind != MEMORY_DEVICE)
        return false;
    uint64_t bytes = allocation->bytes;
    if (!memory_free(launch->request->memory, address))
        return false;
    launch->heap_used -= bytes < launch->heap_used ? bytes : launch->heap_used; /* an earlier launch may have made it */
    /* who has accessed it must find out that it is gone */
    work_add(access_forget_windows(launch->request->function->program) / WORK_FORGOTTEN);
    return true;
}
