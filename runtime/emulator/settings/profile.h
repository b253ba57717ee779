/* Device profiles: what the emulated device reports about itself, and the limits that it enforces. The rows are in
 * profile.def. */
#ifndef EMULATOR_PROFILE_H
#define EMULATOR_PROFILE_H

#include <stdint.h>

struct profile {
    const char *key;  /* value of LOCKSTEP_GPU: "7.5", "8.0", "8.6", "9.0" */
    const char *name; /* cuDeviceGetName */
    int major, minor; /* compute capability */
    uint32_t multiprocessors;
    uint32_t max_threads_per_block;     /* threads */
    uint32_t max_block[3], max_grid[3]; /* threads per block, blocks per grid, by dimension */
    uint32_t max_threads_per_sm, max_blocks_per_sm;
    uint32_t registers_per_block, registers_per_sm;    /* 32-bit registers */
    uint32_t shared_per_block;                         /* bytes without opt-in (48 KiB) */
    uint32_t shared_per_block_optin;                   /* bytes after CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
    uint32_t shared_per_sm, shared_reserved_per_block; /* bytes */
    uint32_t constant_bytes;
    uint32_t l2_bytes;
    uint32_t clock_khz, memory_clock_khz, memory_bus_bits;
    uint64_t memory_bytes; /* device memory */
};

/* The profile named by LOCKSTEP_GPU, or 8.0 when the variable is unset. Returns NULL when the variable names no profile. */
const struct profile *profile_from_environment(void);

/* Finds a profile by its key. Returns NULL when there is none. */
const struct profile *profile_find(const char *key);

#endif
