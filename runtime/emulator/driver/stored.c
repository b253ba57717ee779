#include "runtime/emulator/driver/stored.h"

#include <stddef.h>

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

void stored_by_launch(const struct extents_use *use)
{
    bool is_shared = use->allocation->kind == MEMORY_HOST;
    if (is_shared)
        fetched += bytes_of(use, EXTENTS_READ);
    for (int manner = EXTENTS_WRITTEN; manner < EXTENTS_MANNER_COUNT && use->allocation->kind != MEMORY_PARAM; manner++) {
        sum += bytes_of(use, manner);
        shared += is_shared ? bytes_of(use, manner) : 0;
    }
}

void stored_by_fill(uint64_t bytes)
{
    sum += bytes;
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
