#include "runtime/emulator/driver/stored.h"

#include <stddef.h>
#include <string.h>

#include "runtime/emulator/driver/contents.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/observe/record/extents.h"

static bool is_wanted;
static uint64_t sum, shared, fetched;

void stored_want(void)
{
    is_wanted = true;
}

bool stored_is_wanted(void)
{
    return is_wanted;
}

static uint64_t bytes_of(const struct extents_use *use, int manner)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < use->counts[manner]; i++)
        bytes += use->lists[manner][i].to - use->lists[manner][i].from;
    return bytes;
}

static void tell(const struct extents_use *use, enum contents_of of, uint64_t from, uint64_t to)
{
    if (use->allocation->host && from < to)
        contents_write(of, use->allocation->address + from, use->allocation->host + from, to - from, 1);
}

/* What kernels have read of the host's memory, but for what they have written there as well. */
static void tell_read(const struct extents_use *use)
{
    const struct extent *written = use->lists[EXTENTS_WRITTEN], *end = written + use->counts[EXTENTS_WRITTEN];
    for (size_t i = 0; i < use->counts[EXTENTS_READ]; i++) {
        uint64_t from = use->lists[EXTENTS_READ][i].from, to = use->lists[EXTENTS_READ][i].to;
        for (const struct extent *part = written; part < end && part->from < to; part++) {
            if (part->to <= from)
                continue;
            tell(use, CONTENTS_HOST, from, part->from);
            from = part->to;
        }
        tell(use, CONTENTS_HOST, from, to);
    }
}

void stored_is_incomplete(void)
{
    contents_write_cut();
}

void stored_by_host(uint64_t address, const uint8_t *bytes, uint64_t count)
{
    if (is_wanted)
        contents_write(CONTENTS_HOST, address, bytes, count, 1);
}

void stored_by_launch(const struct extents_use *use)
{
    if (is_wanted && use->allocation->kind == MEMORY_HOST)
        tell_read(use);
    for (int manner = EXTENTS_WRITTEN; is_wanted && manner < EXTENTS_MANNER_COUNT && use->allocation->kind != MEMORY_PARAM;
         manner++)
        for (size_t i = 0; i < use->counts[manner]; i++)
            tell(use, CONTENTS_KERNEL, use->lists[manner][i].from, use->lists[manner][i].to);
    bool is_shared = use->allocation->kind == MEMORY_HOST;
    if (is_shared)
        fetched += bytes_of(use, EXTENTS_READ);
    for (int manner = EXTENTS_WRITTEN; manner < EXTENTS_MANNER_COUNT && use->allocation->kind != MEMORY_PARAM; manner++) {
        sum += bytes_of(use, manner);
        shared += is_shared ? bytes_of(use, manner) : 0;
    }
}

void stored_by_fill(uint32_t value, unsigned element_bytes, uint64_t count)
{
    uint8_t bytes[sizeof value];
    memcpy(bytes, &value, sizeof bytes);
    if (is_wanted)
        contents_write(CONTENTS_FILL, 0, bytes, element_bytes, count);
    sum += element_bytes * count;
}

uint64_t stored_bytes(void)
{
    return sum;
}

uint64_t stored_shared_bytes(void)
{
    return shared;
}

uint64_t stored_fetched_bytes(void)
{
    return fetched;
}
