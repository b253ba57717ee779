#include "runtime/emulator/driver/range.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/machine/host_memory.h"
#include "runtime/emulator/machine/mapping.h"
#include "runtime/emulator/observe/poison/poison.h"

static const char *name_of(const struct memory_allocation *allocation)
{
    return allocation->name[0] != '\0' ? allocation->name : "the allocation";
}

void range_describe(struct finding *finding, enum finding_code code, const struct memory_allocation *allocation,
                    uint64_t offset)
{
    memset(finding, 0, sizeof *finding);
    finding->code = code;
    finding->count = 1;
    if (!allocation)
        return;
    memcpy(finding->array, allocation->name, sizeof finding->array);
    if (allocation->freed)
        memcpy(finding->freed_in, allocation->freed_in, sizeof finding->freed_in);
    if (allocation->element_bytes > 0) {
        finding->has_index = true;
        finding->index = (int64_t)offset / (int64_t)allocation->element_bytes;
        finding->columns = (int64_t)allocation->columns;
    }
}

void range_report_stray(const char *call, uint64_t address, const struct memory_allocation *allocation)
{
    struct finding finding;
    if (address == 0) {
        range_describe(&finding, FINDING_null_pointer, NULL, 0);
        snprintf(finding.message, sizeof finding.message, "%s was given the address 0.", call);
    } else if (allocation && allocation->freed) {
        range_describe(&finding, FINDING_use_after_free, allocation, address - allocation->address);
        snprintf(finding.message, sizeof finding.message, "%s was given an address in %s (%" PRIu64 " bytes), which %s.",
                 call, name_of(allocation), allocation->bytes,
                 allocation->reserved ? "is memory of a graph and not allocated at this point" : "was freed");
    } else {
        struct host_memory memory;
        range_describe(&finding, FINDING_out_of_bounds, NULL, 0);
        if (address < MEMORY_HOST_END && host_memory_find(address, &memory))
            snprintf(finding.message, sizeof finding.message,
                     "%s was given host memory as an address of the device. It is %s.", call,
                     memory.words); /* no address: it differs from run to run */
        else
            snprintf(finding.message, sizeof finding.message, "%s was given 0x%" PRIx64 ", which is not %s.", call, address,
                     address < MEMORY_HOST_END ? "a device address" : "an address in device memory");
    }
    finding_report(&finding);
}

/* The range starts in a live allocation, or beside it, and does not fit. */
static void report_outside(const char *call, const char *verb, const struct memory_allocation *allocation, uint64_t address,
                           uint64_t bytes)
{
    struct finding finding;
    uint64_t offset = address - allocation->address;
    if (address < allocation->address) {
        range_describe(&finding, FINDING_out_of_bounds, allocation, 0);
        finding.has_index = false;
        snprintf(finding.message, sizeof finding.message,
                 "%s would %s %" PRIu64 " bytes that begin %" PRIu64 " bytes before the start of %s.", call, verb, bytes,
                 allocation->address - address, name_of(allocation));
    } else {
        uint64_t first_outside = offset < allocation->bytes ? allocation->bytes : offset;
        range_describe(&finding, FINDING_out_of_bounds, allocation, first_outside);
        snprintf(finding.message, sizeof finding.message,
                 "%s would %s %" PRIu64 " byte%s from byte %" PRIu64 " of %s, which has %" PRIu64 " byte%s.", call, verb,
                 bytes, bytes == 1 ? "" : "s", offset, name_of(allocation), allocation->bytes,
                 allocation->bytes == 1 ? "" : "s");
    }
    finding_report(&finding);
}

/* Does the range lie inside the live allocation? Fills `range` if so. Cannot overflow. */
static bool fits(struct memory_allocation *allocation, uint64_t address, uint64_t bytes, struct range *range)
{
    if (address < allocation->address)
        return false;
    uint64_t offset = address - allocation->address;
    if (offset > allocation->bytes || bytes > allocation->bytes - offset)
        return false;
    *range = (struct range){allocation->host + offset, allocation, offset};
    return true;
}

/* Memory that the program has not, or may not use. on_gpu: what a GPU's driver does then, if that is something else. */
static void report_gap(const char *call, const char *verb, uint64_t address, uint64_t bytes, const struct host_gap *gap,
                       const char *on_gpu)
{
    struct finding finding;
    char from[48] = "there";
    const char *what = gap->kind == HOST_GAP_UNMAPPED    ? "The program has no memory"
                       : gap->kind == HOST_GAP_PROTECTED ? "The program may not use its memory (PROT_NONE)"
                       : gap->kind == HOST_GAP_READ_ONLY ? "The program may only read its memory"
                                                         : "The file that the program has mapped ends";
    if (gap->offset > 0)
        snprintf(from, sizeof from, "from byte %" PRIu64 " on", gap->offset);
    range_describe(&finding, FINDING_out_of_bounds, NULL, 0);
    snprintf(finding.message, sizeof finding.message,
             "%s would %s %" PRIu64 " byte%s of host memory at 0x%" PRIx64 ". %s %s.%s", call, verb, bytes,
             bytes == 1 ? "" : "s", address, what, from, on_gpu);
    finding_report(&finding);
}

/* Memory that the program registered and has given back to the system since. On a GPU its pages are still pinned. */
static void report_lost(const char *call, const char *verb, const struct memory_allocation *allocation, uint64_t address,
                        uint64_t bytes)
{
    struct finding finding;
    range_describe(&finding, FINDING_use_after_free, allocation, address - allocation->address);
    snprintf(finding.message, sizeof finding.message,
             "%s would %s %" PRIu64 " byte%s of registered host memory that the program no longer has. Unregister memory "
             "before you free it.",
             call, verb, bytes, bytes == 1 ? "" : "s");
    finding_report(&finding);
}

static bool is_writing(const char *verb)
{
    return strcmp(verb, "read") != 0;
}

/* Looks at the program's own memory, which it may have registered. */
static CUresult check_own(const char *call, const char *verb, uint64_t address, uint64_t bytes)
{
    struct host_gap gap;
    if (!host_memory_find_gap(address, bytes, is_writing(verb), &gap))
        return CUDA_SUCCESS;
    const struct memory_allocation *allocation = memory_find(driver.memory, address + gap.offset);
    if (allocation && allocation->freed && !allocation->borrowed)
        range_report_stray(call, address + gap.offset, allocation);
    else if (allocation && !allocation->freed && gap.kind == HOST_GAP_UNMAPPED)
        report_lost(call, verb, allocation, address + gap.offset, bytes);
    else
        report_gap(call, verb, address, bytes, &gap, " On a GPU, this ends the program.");
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult range_resolve_device(const char *call, const char *verb, uint64_t address, uint64_t bytes, struct range *range)
{
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    if (!allocation || allocation->freed) {
        range_report_stray(call, address, allocation);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!fits(allocation, address, bytes, range)) {
        report_outside(call, verb, allocation, address, bytes);
        return CUDA_ERROR_INVALID_VALUE;
    }
    enum mapping_state state = mapping_look(allocation->pages, range->offset, bytes, UINT32_MAX, is_writing(verb));
    if (state == MAPPING_FINE)
        return allocation->borrowed ? check_own(call, verb, address, bytes) : CUDA_SUCCESS;
    struct finding finding;
    range_describe(&finding, FINDING_no_access, allocation, range->offset);
    snprintf(finding.message, sizeof finding.message,
             "%s would %s %" PRIu64 " bytes from byte %" PRIu64 " of a reserved range of %" PRIu64 " bytes, but %s.", call,
             verb, bytes, range->offset, allocation->bytes,
             state == MAPPING_NO_ACCESS ? "no device was given access to what is mapped there (cuMemSetAccess)"
                                        : mapping_words(state));
    finding_report(&finding);
    return CUDA_ERROR_INVALID_VALUE;
}

/* Live pinned or managed memory whose own bytes (not its guard zones) contain the address. */
static struct memory_allocation *find_known_host(uint64_t address)
{
    struct memory_allocation *allocation = memory_find(driver.memory, address);
    if (!allocation || allocation->freed || address < allocation->address)
        return NULL;
    return address - allocation->address < allocation->bytes ? allocation : NULL;
}

CUresult range_resolve_host(const char *call, const char *verb, const void *pointer, uint64_t bytes, struct range *range)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    if (address == 0) {
        range_report_stray(call, 0, NULL);
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (address >= MEMORY_HOST_END || bytes > MEMORY_HOST_END - address) {
        struct finding finding;
        const struct memory_allocation *allocation = memory_find(driver.memory, address);
        range_describe(&finding, FINDING_out_of_bounds, allocation, 0);
        finding.has_index = false;
        snprintf(finding.message, sizeof finding.message,
                 "%s was given 0x%" PRIx64 " as the host side, which is %s. Are the two sides swapped?", call, address,
                 allocation ? "an address in device memory" : "not a host pointer");
        finding_report(&finding);
        return CUDA_ERROR_INVALID_VALUE;
    }
    struct memory_allocation *allocation = find_known_host(address);
    if (!allocation) {
        *range = (struct range){(uint8_t *)(uintptr_t)address, NULL, 0};
        return CUDA_SUCCESS;
    }
    /* memory that the client registered may be part of a longer range that the client owns */
    if (fits(allocation, address, bytes, range) || allocation->borrowed) {
        *range = (struct range){(uint8_t *)(uintptr_t)address, NULL, 0};
        return CUDA_SUCCESS;
    }
    report_outside(call, verb, allocation, address, bytes);
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult range_resolve_any(const char *call, const char *verb, uint64_t address, uint64_t bytes, struct range *range)
{
    if (address >= MEMORY_HOST_END)
        return range_resolve_device(call, verb, address, bytes, range);
    return range_resolve_host(call, verb, (const void *)(uintptr_t)address, bytes, range);
}

CUresult range_check_plain(const char *call, const char *verb, const struct range *range, uint64_t width, uint64_t pitch,
                           uint64_t height)
{
    enum { LEAST_PAGE_BYTES = 4096 };
    uint64_t address = (uint64_t)(uintptr_t)range->host, bytes = range_extent(width, height, pitch);
    const struct memory_allocation *known = range->allocation ? range->allocation : find_known_host(address);
    struct host_gap gap;
    if (known && !known->borrowed)
        return CUDA_SUCCESS;
    if (height == 1 || pitch - width < LEAST_PAGE_BYTES)
        return check_own(call, verb, address, bytes);
    if (!host_memory_find_gap(address, bytes, is_writing(verb), &gap))
        return CUDA_SUCCESS;
    CUresult result = CUDA_SUCCESS; /* there may be pages between the rows that are not there */
    for (uint64_t row = 0; row < height && result == CUDA_SUCCESS; row++)
        result = check_own(call, verb, address + row * pitch, width);
    return result;
}

CUresult range_check_registered(const char *call, const void *host, uint64_t bytes, bool to_write)
{
    struct host_gap gap;
    uint64_t address = (uint64_t)(uintptr_t)host;
    if (!host_memory_find_gap(address, bytes, to_write, &gap))
        return CUDA_SUCCESS;
    report_gap(call, "pin", address, bytes, &gap, "");
    return CUDA_ERROR_INVALID_VALUE;
}

uint64_t range_extent(uint64_t width, uint64_t height, uint64_t pitch)
{
    uint64_t before_last, extent;
    if (height == 0 || (height > 1 && width > pitch))
        return 0;
    if (__builtin_mul_overflow(height - 1, pitch, &before_last) || __builtin_add_overflow(before_last, width, &extent))
        return 0;
    return extent;
}

/* Reports the first bytes of a range that were never written. Returns whether it did. partly: some of what the call takes were. */
static bool report_poison(const char *call, const char *does, const struct range *range, uint64_t offset, uint64_t bytes,
                          bool partly)
{
    const struct memory_allocation *allocation = range->allocation;
    uint64_t end = offset + bytes;
    uint64_t last, first = memory_first_hole(allocation, offset, bytes, &last);
    if (first == end)
        return false;
    struct finding finding;
    range_describe(&finding, FINDING_uninitialized, allocation, first);
    snprintf(finding.message, sizeof finding.message,
             "%s %s what was never written: bytes %" PRIu64 "..%" PRIu64 " of an allocation of %" PRIu64 " bytes.%s", call,
             does, first, last, allocation->bytes, partly ? " Other bytes that it copies were written." : "");
    finding.hint = partly ? "Does the host use only what a kernel, a copy or a fill has written?" : NULL;
    if (partly)
        finding_report_warning(&finding);
    else
        finding_report(&finding);
    return true;
}

/* Is nobody but the driver looking for poison in it? */
static bool looks_for_poison(const struct memory_allocation *allocation)
{
    return allocation && allocation->written && allocation->name[0] == '\0';
}

bool range_report_poison(const char *call, const struct range *range, uint64_t offset, uint64_t bytes)
{
    if (range->allocation && range->allocation->written && poison_look(range->allocation, offset, bytes))
        return true;
    return looks_for_poison(range->allocation) && report_poison(call, "reads", range, offset, bytes, false);
}

void range_report_poison_copied(const char *call, const struct range *range, uint64_t width, uint64_t pitch, uint64_t height)
{
    const struct memory_allocation *allocation = range->allocation;
    bool reported = false, partly = false;
    if (!allocation || !allocation->written)
        return;
    for (uint64_t row = 0; row < height; row++)
        reported |= poison_look(allocation, range->offset + row * pitch, width) > 0;
    if (reported || !looks_for_poison(allocation))
        return;
    for (uint64_t row = 0; row < height && !partly; row++)
        partly = memory_has_written(allocation, range->offset + row * pitch, width);
    for (uint64_t row = 0; row < height && !reported; row++)
        reported = report_poison(call, "copies to the host", range, range->offset + row * pitch, width, partly);
}
