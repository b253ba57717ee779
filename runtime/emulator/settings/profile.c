#include "runtime/emulator/settings/profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_KEY "8.0"

static const struct profile profiles[] = {
#define PROFILE(key_, name_, major_, minor_, multiprocessors_, threads_, block_x, block_y, block_z, grid_x, grid_y, grid_z, \
                threads_sm, blocks_sm, registers_block, registers_sm, shared_block, shared_optin, shared_sm,                \
                shared_reserved, constant_, l2_, clock_, memory_clock, memory_bus, memory_gib)                              \
    {                                                                                                                       \
        .key = key_,                                                                                                        \
        .name = name_,                                                                                                      \
        .major = major_,                                                                                                    \
        .minor = minor_,                                                                                                    \
        .multiprocessors = multiprocessors_,                                                                                \
        .max_threads_per_block = threads_,                                                                                  \
        .max_block = {block_x, block_y, block_z},                                                                           \
        .max_grid = {grid_x, grid_y, grid_z},                                                                               \
        .max_threads_per_sm = threads_sm,                                                                                   \
        .max_blocks_per_sm = blocks_sm,                                                                                     \
        .registers_per_block = registers_block,                                                                             \
        .registers_per_sm = registers_sm,                                                                                   \
        .shared_per_block = shared_block,                                                                                   \
        .shared_per_block_optin = shared_optin,                                                                             \
        .shared_per_sm = shared_sm,                                                                                         \
        .shared_reserved_per_block = shared_reserved,                                                                       \
        .constant_bytes = constant_,                                                                                        \
        .l2_bytes = l2_,                                                                                                    \
        .clock_khz = clock_,                                                                                                \
        .memory_clock_khz = memory_clock,                                                                                   \
        .memory_bus_bits = memory_bus,                                                                                      \
        .memory_bytes = (uint64_t)(memory_gib) << 30,                                                                       \
    },
#include "runtime/emulator/settings/profile.def"
#undef PROFILE
};

const struct profile *profile_find(const char *key)
{
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        if (strcmp(profiles[i].key, key) == 0)
            return &profiles[i];
    }
    return NULL;
}

const struct profile *profile_from_environment(void)
{
    const char *key = getenv("LOCKSTEP_GPU");
    return profile_find(key && key[0] != '\0' ? key : DEFAULT_KEY);
}
