/* Reserved ranges of addresses, to which memory is mapped in granules: virtual memory management. A range is one allocation
 * of machine/memory.h; what is mapped where, and who may access it, is beside it. */
#ifndef EMULATOR_MAPPING_H
#define EMULATOR_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

struct memory;
struct memory_allocation;

#define MAPPING_GRANULE (UINT64_C(2) << 20) /* bytes */

/* One granule of a range. */
struct mapping_page {
    void *memory;             /* what is mapped there, the entry points' own; NULL: nothing */
    uint64_t start, bytes;    /* of that mapping, in the range */
    uint8_t readers, writers; /* a bit for each device */
};

/* All of a range. */
struct mapping_pages {
    uint8_t *host;    /* its first byte */
    uint8_t *written; /* the shadow, a bit for each byte; NULL: not tracked */
    uint64_t count;
    struct mapping_page page[];
};

enum mapping_state { MAPPING_FINE, MAPPING_NOTHING, MAPPING_NO_ACCESS, MAPPING_READ_ONLY };

/* Reserves addresses for `bytes`, a multiple of the granule. NULL when the host has no room. memory_free gives them up. */
struct memory_allocation *mapping_reserve(struct memory *memory, uint64_t bytes);

/* Maps the start of a file to [offset, offset + bytes) of a range, where nothing is mapped. The file holds the memory, `size`
 * bytes, and after that its shadow, a bit for each byte.
 *   owner   what the pages remember
 * Returns false when the host refuses. */
bool mapping_map(struct mapping_pages *range, uint64_t offset, uint64_t bytes, int file, uint64_t size, void *owner);

/* Takes away what is mapped there. */
void mapping_unmap(struct mapping_pages *range, uint64_t offset, uint64_t bytes);

/* Moves an ordinary allocation of device memory to a file, so that other processes can see it: whole granules, and the shadow
 * after them. The allocation owns the file from then on. Returns false, with nothing changed, when the host refuses. */
bool mapping_share(struct memory *memory, struct memory_allocation *allocation, int file);

/* An allocation of `bytes` that sees such a file of another process. NULL when the host refuses. */
struct memory_allocation *mapping_open(struct memory *memory, uint64_t bytes, int file);

/* May one of the `devices` (bits) do that to all of [offset, offset + bytes)? The bytes are inside the range. NULL stands
 * for an ordinary allocation: always. */
enum mapping_state mapping_look(const struct mapping_pages *range, uint64_t offset, uint64_t bytes, uint32_t devices,
                                bool write);

/* The longest run of granules around `offset` to which mapping_look gives the same answer, FINE. */
void mapping_run(const struct mapping_pages *range, uint64_t offset, uint32_t devices, bool write, uint64_t *first,
                 uint64_t *bytes);

/* The state in words: "… but {words}". */
const char *mapping_words(enum mapping_state state);

#endif
