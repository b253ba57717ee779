#include "grader/run/geometry.h"

#include <stdio.h>
#include <string.h>

static const struct ptx_constant *find_constant(const struct ptx_summary *summary, const char *kernel, const char *suffix)
{
    char name[128];
    snprintf(name, sizeof name, "%s_%s", kernel, suffix);
    return ptx_summary_constant(summary, name);
}

/* Side of the square, or the cube, of `threads`, 0 when there is none. */
static uint32_t side_of(uint64_t threads, int dimensions)
{
    uint64_t side = 0, whole = 0;
    while (whole < threads) {
        side++;
        whole = dimensions < 3 ? side * side : side * side * side;
    }
    return whole == threads ? (uint32_t)side : 0;
}

static bool decide_from_bounds(const struct lab_kernel *kernel, const struct ptx_entry *entry, struct geometry *geometry,
                               char *message, size_t message_bytes)
{
    const uint32_t *asked = entry->max_threads;
    uint64_t threads = (uint64_t)asked[0] * asked[1] * asked[2];
    geometry->asked = true;
    bool is_row = kernel->block[1] == 1 && kernel->block[2] == 1; /* whatever the grid covers */
    if (kernel->dimensions < 2 || is_row) {
        geometry->block[0] = threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
        geometry->block[1] = geometry->block[2] = 1;
        return true;
    }
    if (entry->threads_required && asked[1] > 1) {
        memcpy(geometry->block, asked, sizeof geometry->block);
        return true;
    }
    uint32_t side = threads <= UINT32_MAX ? side_of(threads, kernel->dimensions) : 0;
    if (side == 0 && kernel->dimensions > 2) {
        snprintf(message, message_bytes,
                 "%s asks for blocks of %llu threads with __launch_bounds__, but its blocks are cubes and %llu is not a "
                 "cube. Ask "
                 "for 64 or 512, or give the shape: extern \"C\" __constant__ int %s_block[3] = {columns, rows, layers};",
                 kernel->name, (unsigned long long)threads, (unsigned long long)threads, kernel->name);
        return false;
    }
    if (side == 0) {
        snprintf(
            message, message_bytes,
            "%s asks for blocks of %llu threads with __launch_bounds__, but its blocks are square and %llu is not a square "
            "number. Ask for 64, 256 or 1024, or give the shape: extern \"C\" __constant__ int %s_block[3] = {columns, "
            "rows, 1};",
            kernel->name, (unsigned long long)threads, (unsigned long long)threads, kernel->name);
        return false;
    }
    geometry->block[0] = geometry->block[1] = side;
    geometry->block[2] = kernel->dimensions > 2 ? side : 1;
    return true;
}

static bool decide_from_constant(const struct ptx_constant *constant, struct geometry *geometry, char *message,
                                 size_t message_bytes)
{
    geometry->asked = true;
    for (uint32_t d = 0; d < 3; d++) {
        int32_t value = d < constant->count ? constant->value[d] : 1;
        if (value <= 0) {
            snprintf(message, message_bytes, "%s[%u] is %d: a block has at least one thread in each direction.",
                     constant->name, d, value);
            return false;
        }
        geometry->block[d] = (uint32_t)value;
    }
    return true;
}

/* Elements that a block covers where its kernel says nothing of it: one a thread. The threads of a kernel of one dimension
 * are counted in all directions of its block, because its grid has one. */
static void decide_cover(const struct lab_kernel *kernel, struct geometry *geometry)
{
    const uint32_t *block = geometry->block;
    uint64_t threads = (uint64_t)block[0] * block[1];
    if (kernel->dimensions < 2) {
        threads = threads > INT32_MAX ? INT32_MAX : threads * block[2];
        geometry->items[0] = threads > INT32_MAX ? INT32_MAX : (uint32_t)threads; /* more than any device takes */
        geometry->items[1] = geometry->items[2] = 1;
        return;
    }
    geometry->items[0] = block[0];
    geometry->items[1] = block[1];
    geometry->items[2] = kernel->dimensions > 2 ? block[2] : 1;
}

static bool decide_items(const struct lab_kernel *kernel, const struct ptx_constant *constant, struct geometry *geometry,
                         char *message, size_t message_bytes)
{
    static const char *const meant[] = {"the elements that one block covers",
                                        "the columns and the rows that one block covers",
                                        "the columns, the rows and the layers that one block covers"};
    uint32_t dimensions = kernel->dimensions < 2 ? 1 : (uint32_t)kernel->dimensions;
    if (!constant)
        return true;
    if (constant->count != dimensions) {
        snprintf(message, message_bytes, "%s holds %u numbers, but %u %s expected: %s.", constant->name, constant->count,
                 dimensions, dimensions == 1 ? "is" : "are", meant[dimensions - 1]);
        return false;
    }
    for (uint32_t d = 0; d < dimensions; d++) {
        if (constant->value[d] <= 0) {
            snprintf(message, message_bytes, "%s is %d: a block covers at least one element.", constant->name,
                     constant->value[d]);
            return false;
        }
        geometry->items[d] = (uint32_t)constant->value[d];
    }
    return true;
}

/* What the lab allows. A default block is the lab's own affair. */
static bool is_allowed(const struct lab_kernel *kernel, const struct geometry *geometry, char *message, size_t message_bytes)
{
    uint64_t threads = (uint64_t)geometry->block[0] * geometry->block[1] * geometry->block[2];
    if (kernel->least_threads > 0 && threads < kernel->least_threads)
        snprintf(message, message_bytes, "%s asks for blocks of %llu threads, but this lab takes no fewer than %u.",
                 kernel->name, (unsigned long long)threads, kernel->least_threads);
    else if (kernel->most_threads > 0 && threads > kernel->most_threads)
        snprintf(message, message_bytes, "%s asks for blocks of %llu threads, but this lab takes no more than %u.",
                 kernel->name, (unsigned long long)threads, kernel->most_threads);
    else if (kernel->threads_multiple_of > 1 && threads % kernel->threads_multiple_of != 0)
        snprintf(message, message_bytes, "%s asks for blocks of %llu threads, but in this lab it must be a multiple of %u.",
                 kernel->name, (unsigned long long)threads, kernel->threads_multiple_of);
    else
        return true;
    return false;
}

static bool decide_grid(const struct lab_kernel *kernel, const struct ptx_constant *constant, struct geometry *geometry,
                        char *message, size_t message_bytes)
{
    if (!constant)
        return true;
    if (!kernel->chooses_grid) {
        snprintf(message, message_bytes, "%s asks for a grid, but this lab chooses the grid itself. Remove %s.",
                 kernel->name, constant->name);
        return false;
    }
    for (uint32_t d = 0; d < 3; d++) {
        int32_t value = d < constant->count ? constant->value[d] : 1;
        if (value <= 0) {
            snprintf(message, message_bytes, "%s[%u] is %d: a grid has at least one block in each direction.",
                     constant->name, d, value);
            return false;
        }
        geometry->grid[d] = (uint32_t)value;
    }
    return true;
}

bool geometry_decide(const struct lab_kernel *kernel, const struct ptx_entry *entry, const struct ptx_summary *summary,
                     struct geometry *geometry, char *message, size_t message_bytes)
{
    *geometry = (struct geometry){.asked = false};
    for (int d = 0; d < 3; d++)
        geometry->block[d] = kernel->block[d] > 0 ? kernel->block[d] : 1;
    const struct ptx_constant *block = find_constant(summary, kernel->name, "block");
    if (!kernel->fixed_block) {
        if (block && !decide_from_constant(block, geometry, message, message_bytes))
            return false;
        if (!block && entry->max_threads[0] > 0 && !decide_from_bounds(kernel, entry, geometry, message, message_bytes))
            return false;
    }
    if (geometry->asked && !is_allowed(kernel, geometry, message, message_bytes))
        return false;
    if (!decide_grid(kernel, find_constant(summary, kernel->name, "grid"), geometry, message, message_bytes))
        return false;
    decide_cover(kernel, geometry);
    return decide_items(kernel, find_constant(summary, kernel->name, "items"), geometry, message, message_bytes);
}
