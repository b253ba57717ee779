#include "runtime/emulator/machine/mapping.h"

#include <sys/mman.h>

bool mapping_map(struct mapping_pages *range, uint64_t offset, uint64_t bytes, int file, uint64_t size, void *owner)
{
    const int access = PROT_READ | PROT_WRITE, how = MAP_SHARED | MAP_FIXED;
    if (mmap(range->host + offset, bytes, access, how, file, 0) == MAP_FAILED)
        return false;
    if (range->written && mmap(range->written + offset / 8, bytes / 8, access, how, file, (off_t)size) == MAP_FAILED)
        return false;
    for (uint64_t i = offset / MAPPING_GRANULE; i < (offset + bytes) / MAPPING_GRANULE; i++)
        range->page[i] = (struct mapping_page){.memory = owner, .start = offset, .bytes = bytes};
    return true;
}

void mapping_unmap(struct mapping_pages *range, uint64_t offset, uint64_t bytes)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    mmap(range->host + offset, bytes, PROT_NONE, how, -1, 0);
    if (range->written) /* stays readable: who looks for poison may look beyond what is mapped */
        mmap(range->written + offset / 8, bytes / 8, PROT_READ | PROT_WRITE, how, -1, 0);
    for (uint64_t i = offset / MAPPING_GRANULE; i < (offset + bytes) / MAPPING_GRANULE; i++)
        range->page[i] = (struct mapping_page){0};
}

static enum mapping_state look_at(const struct mapping_page *page, uint32_t devices, bool write)
{
    if (!page->memory)
        return MAPPING_NOTHING;
    if (write && page->readers & devices && !(page->writers & devices))
        return MAPPING_READ_ONLY;
    return (write ? page->writers : page->readers) & devices ? MAPPING_FINE : MAPPING_NO_ACCESS;
}

enum mapping_state mapping_look(const struct mapping_pages *range, uint64_t offset, uint64_t bytes, uint32_t devices,
                                bool write)
{
    if (!range || bytes == 0)
        return MAPPING_FINE;
    enum mapping_state state = MAPPING_FINE;
    for (uint64_t i = offset / MAPPING_GRANULE; !state && i <= (offset + bytes - 1) / MAPPING_GRANULE; i++)
        state = look_at(&range->page[i], devices, write);
    return state;
}

void mapping_run(const struct mapping_pages *range, uint64_t offset, uint32_t devices, bool write, uint64_t *first,
                 uint64_t *bytes)
{
    enum { FAR = 4096 }; /* granules: it is looked for again and again */
    uint64_t low = offset / MAPPING_GRANULE, high = low + 1, middle = low;
    while (low > 0 && middle - low < FAR && !look_at(&range->page[low - 1], devices, write))
        low--;
    while (high < range->count && high - middle < FAR && !look_at(&range->page[high], devices, write))
        high++;
    *first = low * MAPPING_GRANULE;
    *bytes = (high - low) * MAPPING_GRANULE;
}

const char *mapping_words(enum mapping_state state)
{
    switch (state) {
    case MAPPING_NOTHING: return "nothing is mapped to these reserved addresses (cuMemMap)";
    case MAPPING_NO_ACCESS: return "the device was not given access to what is mapped there (cuMemSetAccess)";
    case MAPPING_READ_ONLY: return "the device was given access for reading only (cuMemSetAccess)";
    default: return "";
    }
}
