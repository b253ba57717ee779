/* Entry points: virtual memory management. Physical memory is a file in memory, which can be mapped several times and handed
 * to another process; what was written is known by the file too, so a shadow follows the bytes. */
#include "runtime/emulator/driver/virtual_memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/emulator/driver/allocation.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/handle.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/shared_file.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/mapping.h"
#include "runtime/emulator/observe/poison/poison.h"

enum { LOCATION_DEVICE = 1, TYPE_PINNED = 1, HANDLE_TYPE_FILE = 1, WINDOWS_HANDLE_TYPES = 6, HANDLE_TYPE_FABRIC = 8 };

struct physical {
    void *handle; /* NULL: released, but still mapped */
    unsigned references, mappings;
    int file;
    uint64_t bytes;
    CUdevice device;
    int handle_types;
    bool imported; /* another handle has it in its books */
    struct physical *next;
};

static struct physical *physicals;

static CUmemGenericAllocationHandle number_of(const struct physical *physical)
{
    return (CUmemGenericAllocationHandle)(uintptr_t)physical->handle;
}

static struct physical *find(CUmemGenericAllocationHandle handle)
{
    return handle_find((const void *)(uintptr_t)handle, HANDLE_PHYSICAL);
}

static bool is_whole(uint64_t bytes)
{
    return bytes > 0 && bytes % MAPPING_GRANULE == 0;
}

static void destroy(struct physical *physical)
{
    struct physical **link = &physicals;
    while (*link != physical)
        link = &(*link)->next;
    *link = physical->next;
    if (!physical->imported)
        memory_give_bytes(driver.memory, (unsigned)physical->device, physical->bytes);
    close(physical->file);
    free(physical);
}

/* Lets go of what neither a handle nor a mapping holds. */
static void settle(struct physical *physical)
{
    if (physical->references == 0 && physical->handle) {
        handle_destroy(physical->handle);
        physical->handle = NULL;
    }
    if (physical->references == 0 && physical->mappings == 0)
        destroy(physical);
}

/* Takes over the file, also on failure. */
static CUresult enter_physical(struct physical made, CUmemGenericAllocationHandle *handle)
{
    struct physical *physical = malloc(sizeof *physical);
    void *number = physical ? handle_create(HANDLE_PHYSICAL, physical, NULL) : NULL;
    if (!number) {
        free(physical);
        close(made.file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *physical = made;
    physical->handle = number;
    physical->references = 1;
    physical->next = physicals;
    physicals = physical;
    *handle = number_of(physical);
    return CUDA_SUCCESS;
}

/* ---- physical memory ---- */

/* The kinds of memory that exist here. Returns NOT_SUPPORTED for one that others have. */
static CUresult check_properties(const CUmemAllocationProp *properties)
{
    if (!properties || properties->type != TYPE_PINNED || properties->requestedHandleTypes & WINDOWS_HANDLE_TYPES)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->location.type >= 2 && properties->location.type <= 4)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (properties->location.type != LOCATION_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (!driver_has_device(properties->location.id))
        return CUDA_ERROR_INVALID_DEVICE;
    return properties->requestedHandleTypes & HANDLE_TYPE_FABRIC ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

static CUresult create(CUmemGenericAllocationHandle *handle, uint64_t bytes, const CUmemAllocationProp *properties)
{
    unsigned before = memory_choose_device(driver.memory, (unsigned)properties->location.id);
    bool fits = memory_take_bytes(driver.memory, bytes);
    memory_choose_device(driver.memory, before);
    struct shared_file wanted = {bytes, properties->requestedHandleTypes, properties->location.id};
    int file = fits ? shared_file_create(&wanted) : -1;
    CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
    if (file >= 0)
        result = enter_physical((struct physical){.file = file,
                                                  .bytes = bytes,
                                                  .device = properties->location.id,
                                                  .handle_types = properties->requestedHandleTypes},
                                handle);
    if (result != CUDA_SUCCESS && fits)
        memory_give_bytes(driver.memory, (unsigned)properties->location.id, bytes);
    return result;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *properties,
                     unsigned long long flags)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (!handle || flags != 0 || !is_whole(bytes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = check_properties(properties);
    return driver_leave(result == CUDA_SUCCESS ? create(handle, bytes, properties) : result);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    CUresult result = driver_enter_any();
    struct physical *physical = result == CUDA_SUCCESS ? find(handle) : NULL;
    if (result == CUDA_SUCCESS && !physical)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        physical->references--;
        settle(physical);
    }
    return driver_leave(result);
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties, int option)
{
    CUresult result = driver_enter_any();
    /* minimum, recommended; an H200 does not look at the properties either */
    if (result == CUDA_SUCCESS && (!bytes || !properties || option < 0 || option > 1))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *bytes = MAPPING_GRANULE;
    return driver_leave(result);
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties, CUmemGenericAllocationHandle handle)
{
    CUresult result = driver_enter_any();
    const struct physical *physical = result == CUDA_SUCCESS ? find(handle) : NULL;
    if (result == CUDA_SUCCESS && (!properties || !physical))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *properties = (CUmemAllocationProp){.type = TYPE_PINNED,
                                            .requestedHandleTypes = physical->handle_types,
                                            .location = {LOCATION_DEVICE, physical->device}};
    return driver_leave(result);
}

/* ---- addresses ---- */

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                             unsigned long long flags)
{
    (void)wanted; /* a wish: programs look at the address that they get */
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && (!address || flags != 0 || !is_whole(bytes) || alignment & (alignment - 1)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    const struct memory_allocation *range = alignment <= MEMORY_ORIGIN ? mapping_reserve(driver.memory, bytes) : NULL;
    if (range)
        *address = range->address;
    return driver_leave(range ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

/* The live range that [address, address + bytes), whole granules, is in. Returns NULL when there is none. */
static struct memory_allocation *find_range(CUdeviceptr address, uint64_t bytes, uint64_t *offset)
{
    struct memory_allocation *range = address >= MEMORY_HOST_END ? memory_find(driver.memory, address) : NULL;
    if (!range || range->freed || !range->pages || address < range->address)
        return NULL;
    *offset = address - range->address;
    bool fits = *offset < range->bytes && bytes <= range->bytes - *offset;
    return fits && *offset % MAPPING_GRANULE == 0 && is_whole(bytes) ? range : NULL;
}

/* How many of these granules have memory. */
static uint64_t count_mapped(const struct memory_allocation *range, uint64_t offset, uint64_t bytes)
{
    uint64_t count = 0;
    for (uint64_t i = offset / MAPPING_GRANULE; i < (offset + bytes) / MAPPING_GRANULE; i++)
        count += range->pages->page[i].memory != NULL;
    return count;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    uint64_t offset;
    CUresult result = driver_enter_any();
    struct memory_allocation *range = result == CUDA_SUCCESS ? find_range(address, bytes, &offset) : NULL;
    if (result == CUDA_SUCCESS && (!range || offset != 0 || bytes != range->bytes || count_mapped(range, 0, bytes) > 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        poison_forget(range);
        memory_free(driver.memory, address);
    }
    return driver_leave(result);
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    uint64_t at;
    CUresult result = driver_enter_any();
    struct physical *physical = result == CUDA_SUCCESS ? find(handle) : NULL;
    struct memory_allocation *range = physical ? find_range(address, bytes, &at) : NULL;
    if (result == CUDA_SUCCESS && (!physical || flags != 0))
        result = CUDA_ERROR_INVALID_VALUE;
    else if (result == CUDA_SUCCESS && (offset != 0 || bytes != physical->bytes)) /* a part: an H200 does not do it either */
        result = CUDA_ERROR_NOT_SUPPORTED;
    else if (result == CUDA_SUCCESS && (!range || count_mapped(range, at, bytes) > 0))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !mapping_map(range->pages, at, bytes, physical->file, physical->bytes, physical)) {
        mapping_unmap(range->pages, at, bytes);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (result == CUDA_SUCCESS) {
        physical->mappings++;
        range->all_written = false;
    }
    return driver_leave(result);
}

/* Does the part consist of whole mappings, and of addresses to which nothing is mapped? */
static bool is_mapped_whole(const struct memory_allocation *range, uint64_t offset, uint64_t bytes)
{
    uint64_t at = offset;
    while (at < offset + bytes) {
        const struct mapping_page *page = &range->pages->page[at / MAPPING_GRANULE];
        if (page->memory && (page->start != at || page->bytes > offset + bytes - at))
            return false;
        at += page->memory ? page->bytes : MAPPING_GRANULE;
    }
    return true;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    uint64_t offset;
    CUresult result = driver_enter_any();
    struct memory_allocation *range = result == CUDA_SUCCESS ? find_range(address, bytes, &offset) : NULL;
    if (result == CUDA_SUCCESS && (!range || !is_mapped_whole(range, offset, bytes)))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    late_finish();
    for (uint64_t at = offset, length; at < offset + bytes; at += length) {
        struct physical *physical = range->pages->page[at / MAPPING_GRANULE].memory;
        length = physical ? range->pages->page[at / MAPPING_GRANULE].bytes : MAPPING_GRANULE;
        if (!physical)
            continue;
        mapping_unmap(range->pages, at, length);
        range->all_written = false;
        physical->mappings--;
        settle(physical);
    }
    return driver_leave(CUDA_SUCCESS);
}

/* ---- access ---- */

static CUresult check_access(const CUmemAccessDesc *wanted)
{
    if (wanted->flags != 0 && wanted->flags != 1 && wanted->flags != 3)
        return CUDA_ERROR_INVALID_VALUE;
    if (wanted->location.type >= 2 && wanted->location.type <= 4)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (wanted->location.type != LOCATION_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    return driver_has_device(wanted->location.id) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; /* as an H200 says */
}

static void set_access(struct mapping_page *page, const CUmemAccessDesc *wanted)
{
    uint8_t device = (uint8_t)(1u << wanted->location.id);
    page->readers = (uint8_t)(wanted->flags ? page->readers | device : page->readers & ~device);
    page->writers = (uint8_t)(wanted->flags == 3 ? page->writers | device : page->writers & ~device);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *wanted, size_t count)
{
    uint64_t offset;
    CUresult result = driver_enter_any();
    struct memory_allocation *range = result == CUDA_SUCCESS ? find_range(address, bytes, &offset) : NULL;
    if (result == CUDA_SUCCESS
        && (!wanted || count == 0 || !range || count_mapped(range, offset, bytes) != bytes / MAPPING_GRANULE
            || !is_mapped_whole(range, offset, bytes)))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
        result = check_access(&wanted[i]);
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    for (uint64_t page = offset / MAPPING_GRANULE; page < (offset + bytes) / MAPPING_GRANULE; page++)
        for (size_t i = 0; i < count; i++)
            set_access(&range->pages->page[page], &wanted[i]);
    return driver_leave(CUDA_SUCCESS);
}

/* The mapping that an address is in; NULL when there is none. */
static const struct mapping_page *find_page(CUdeviceptr address)
{
    uint64_t offset;
    const struct memory_allocation *range = find_range(address / MAPPING_GRANULE * MAPPING_GRANULE, MAPPING_GRANULE,
                                                       &offset);
    const struct mapping_page *page = range ? &range->pages->page[offset / MAPPING_GRANULE] : NULL;
    return page && page->memory ? page : NULL;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    CUresult result = driver_enter_any();
    const struct mapping_page *page = result == CUDA_SUCCESS ? find_page(address) : NULL;
    if (result == CUDA_SUCCESS && (!flags || !location || !page))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = check_access(&(CUmemAccessDesc){*location, 0});
    if (result == CUDA_SUCCESS)
        *flags = (page->writers >> location->id & 1) ? 3 : page->readers >> location->id & 1;
    return driver_leave(result);
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
    CUresult result = driver_enter_any();
    const struct mapping_page *page = result == CUDA_SUCCESS ? find_page((CUdeviceptr)(uintptr_t)address) : NULL;
    if (result == CUDA_SUCCESS && (!handle || !page))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    struct physical *physical = page->memory;
    if (!physical->handle)
        physical->handle = handle_create(HANDLE_PHYSICAL, physical, NULL);
    if (!physical->handle)
        return driver_leave(CUDA_ERROR_OUT_OF_MEMORY);
    physical->references++;
    *handle = number_of(physical);
    return driver_leave(CUDA_SUCCESS);
}

/* ---- other processes ---- */

/* A type of shareable handle that others have is NOT_SUPPORTED. */
static CUresult check_handle_type(int type)
{
    if (type == HANDLE_TYPE_FILE)
        return CUDA_SUCCESS;
    return type == 2 || type == 4 || type == 8 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle, int type,
                                      unsigned long long flags)
{
    CUresult result = driver_enter_any();
    const struct physical *physical = result == CUDA_SUCCESS ? find(handle) : NULL;
    if (result == CUDA_SUCCESS && (!shareable || flags != 0 || !physical))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = check_handle_type(type);
    if (result == CUDA_SUCCESS && !(physical->handle_types & type))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return driver_leave(result);
    int file = fcntl(physical->file, F_DUPFD_CLOEXEC, 3);
    if (file >= 0)
        *(int *)shareable = file;
    return driver_leave(file >= 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM);
}

static CUresult import(CUmemGenericAllocationHandle *handle, int given)
{
    struct shared_file end;
    if (!shared_file_read(given, &end))
        return CUDA_ERROR_INVALID_VALUE;
    int file = fcntl(given, F_DUPFD_CLOEXEC, 3); /* the program closes its own */
    if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    return enter_physical((struct physical){.file = file,
                                            .bytes = end.bytes,
                                            .device = driver_has_device(end.device) ? end.device : 0,
                                            .handle_types = end.handle_types,
                                            .imported = true},
                          handle);
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable, int type)
{
    CUresult result = driver_enter_any();
    if (result == CUDA_SUCCESS && !handle)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = check_handle_type(type);
    return driver_leave(result == CUDA_SUCCESS ? import(handle, (int)(intptr_t)shareable) : result);
}

void virtual_memory_report_leaks(void)
{
    struct finding finding;
    uint64_t count = 0, bytes = 0;
    if (driver.settings->checks < CHECKS_POISON)
        return;
    for (const struct physical *physical = physicals; physical; physical = physical->next) {
        count += !physical->imported;
        bytes += physical->imported ? 0 : physical->bytes;
    }
    if (count == 0)
        return;
    memset(&finding, 0, sizeof finding);
    finding.code = FINDING_leak;
    finding.count = count;
    finding_text(&finding,
                 "%" PRIu64 " physical allocation%s (cuMemCreate), %" PRIu64 " bytes of device memory in all, %s "
                 "never given back: each must be released (cuMemRelease) and unmapped (cuMemUnmap)",
                 count, count == 1 ? "" : "s", bytes, count == 1 ? "was" : "were");
    finding_report(&finding);
}
