/* The one place where an entry point's address range becomes host memory: checked against the allocation, and reported as a
 * finding when it does not fit, or is not there. All functions expect the driver's lock to be held. */
#ifndef EMULATOR_RANGE_H
#define EMULATOR_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/cuda/driver_api.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/memory.h"

struct range {
    uint8_t *host;                        /* its first byte */
    struct memory_allocation *allocation; /* NULL: plain host memory that the driver does not know */
    uint64_t offset;                      /* in the allocation */
};

/* Resolves [address, address + bytes) as device memory (which includes pinned and managed host memory).
 *   call   name of the entry point, for the finding
 *   verb   what it does there: "read", "write"
 * Returns CUDA_ERROR_INVALID_VALUE, and reports a finding, when the range is not wholly inside one live allocation. */
CUresult range_resolve_device(const char *call, const char *verb, uint64_t address, uint64_t bytes, struct range *range);

/* The same for the host's side of a copy: any host pointer will do, but a range that begins in pinned or managed memory must
 * end there, and a device address is refused. */
CUresult range_resolve_host(const char *call, const char *verb, const void *pointer, uint64_t bytes, struct range *range);

/* Resolves the address as whichever of the two it belongs to. */
CUresult range_resolve_any(const char *call, const char *verb, uint64_t address, uint64_t bytes, struct range *range);

/* Looks whether the program itself may read or write plain host memory: `height` rows of `width` bytes, `pitch` bytes apart.
 * Other memory is the driver's. Returns CUDA_ERROR_INVALID_VALUE, and reports a finding, when it may not. */
CUresult range_check_plain(const char *call, const char *verb, const struct range *range, uint64_t width, uint64_t pitch,
                           uint64_t height);

/* The same for all of memory that is about to be registered. */
CUresult range_check_registered(const char *call, const void *host, uint64_t bytes, bool to_write);

/* Bytes from the first to the last of `height` rows of `width` bytes, `pitch` bytes apart. Returns 0 when that overflows or
 * a row is longer than the pitch. */
uint64_t range_extent(uint64_t width, uint64_t height, uint64_t pitch);

/* A finding about an allocation, with the members filled in that every such finding has. */
void range_describe(struct finding *finding, enum finding_code code, const struct memory_allocation *allocation,
                    uint64_t offset);

/* Looks whether a call reads bytes that were never written, and reports the first of them.
 *   call    name of the entry point, for the finding
 * Returns whether it reported. Named memory belongs to a caller that checks by itself (lockstepWrittenMemory): silent. */
bool range_report_poison(const char *call, const struct range *range, uint64_t offset, uint64_t bytes);

/* The same for what the host's program is given: `height` rows of `width` bytes, `pitch` bytes apart. A warning where a part
 * of it was written, since the host may look at that part only. */
void range_report_poison_copied(const char *call, const struct range *range, uint64_t width, uint64_t pitch,
                                uint64_t height);

/* Reports that `address`, which a call was given, names no live allocation: freed, null, a host pointer, or never one.
 * `allocation` is what memory_find says about it. */
void range_report_stray(const char *call, uint64_t address, const struct memory_allocation *allocation);

#endif
