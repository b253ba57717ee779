/* What kernels and cuMemset have stored in the device's memory, for the record of calls (call_log.h): how many bytes, and which.
 * A byte that two launches store counts twice, one that a launch stores twice counts once, with what it holds in the end. */
#ifndef EMULATOR_STORED_H
#define EMULATOR_STORED_H

#include <stdbool.h>
#include <stdint.h>

struct extents_use;

/* Asks for the count, which takes a record of each launch's accesses (observe/record/extents.h). */
void stored_want(void);
bool stored_is_wanted(void);

/* What a launch did with an allocation, before anything else happens to it; not all that it did is known. */
void stored_by_launch(const struct extents_use *use);
void stored_is_incomplete(void);

/* What was filled: `count` elements of 1, 2 or 4 bytes. */
void stored_by_fill(uint32_t value, unsigned element_bytes, uint64_t count);

/* A copy from the host has put these bytes into the device's memory. */
void stored_by_host(uint64_t address, const uint8_t *bytes, uint64_t count);

uint64_t stored_bytes(void);

/* Of these, those that kernels stored in memory that the host shares; and the bytes that they read there. A byte counts once
 * for each launch. */
uint64_t stored_shared_bytes(void);
uint64_t stored_fetched_bytes(void);

#endif
