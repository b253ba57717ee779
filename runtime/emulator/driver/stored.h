/* How many bytes of the device's memory kernels and cuMemset have stored, for the record of calls (call_log.h). A byte that two
 * launches store counts twice, one that a launch stores twice counts once. */
#ifndef EMULATOR_STORED_H
#define EMULATOR_STORED_H

#include <stdbool.h>
#include <stdint.h>

struct extents_use;

/* Asks for the count, which takes a record of each launch's accesses (observe/record/extents.h). */
void stored_want(void);
bool stored_is_wanted(void);

/* What a launch did with an allocation, or what was filled. */
void stored_by_launch(const struct extents_use *use);
void stored_by_fill(uint64_t bytes);

uint64_t stored_bytes(void);

/* Of these, those that kernels stored in memory that the host shares; and the bytes that they read there. A byte counts once
 * for each launch. */
uint64_t stored_shared_bytes(void);
uint64_t stored_fetched_bytes(void);

#endif
