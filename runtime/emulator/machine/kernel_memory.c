#include "runtime/emulator/machine/kernel_memory.h"

#include <stdio.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
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

bool kernel_memory_free(struct warp *warp, uint64_t address)
{
    struct launch *launch = warp->launch;
    const struct memory_allocation *allocation = address ? memory_find(launch->request->memory, address) : NULL;
    if (!allocation || allocation->freed || allocation->address != address || !allocation->in_heap)
        return false;
    uint64_t bytes = allocation->bytes;
    if (!memory_free(launch->request->memory, address))
        return false;
    launch->heap_used -= bytes < launch->heap_used ? bytes : launch->heap_used; /* an earlier launch may have made it */
    /* who has accessed it must find out that it is gone */
    work_add(access_forget_windows(launch->request->function->program) / WORK_FORGOTTEN);
    return true;
}

void kernel_memory_free_or_report(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t address)
{
    struct launch *launch = warp->launch;
    if (address == 0 || kernel_memory_free(warp, address))
        return;
    const struct memory_allocation *allocation = memory_find(launch->request->memory, address);
    bool again = allocation && allocation->freed && allocation->address == address;
    uint64_t key = finding_key(operation, again ? FINDING_use_after_free : FINDING_null_pointer, 0);
    struct finding finding;
    launch_abort(launch, again ? LAUNCH_FAILED : LAUNCH_ILLEGAL_ADDRESS); /* as the device's cudaFree does */
    if (finding_repeat(launch->findings, key))
        return;
    launch_finding(warp, operation, lane, again ? FINDING_use_after_free : FINDING_null_pointer, &finding);
    if (again) {
        finding_text(&finding, "free is given memory that has been freed before");
        finding.hint = "Which thread frees this memory first, and who is meant to?";
    } else if (allocation && allocation->in_heap && !allocation->freed) {
        finding_text(&finding, "free is given an address that is %lld bytes off the one that malloc returned",
                     (long long)(address - allocation->address));
        finding.hint = "Which pointer did malloc return, and where was it moved?";
    } else {
        finding_text(&finding, "free is given a pointer that no malloc of a kernel returned%s",
                     allocation && allocation->kind == MEMORY_DEVICE && !allocation->in_heap
                         ? ": memory that the host has allocated, which the host must free"
                         : "");
        finding.hint = "Which call allocated this memory, and on which side?";
    }
    finding_collect_as(launch->findings, key, &finding);
}
