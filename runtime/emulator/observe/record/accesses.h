/* Records who loaded, stored and changed the elements of small arrays: LOCKSTEP_ACCESSES. For each launch one JSON object on a
 * line (README.md of observe): the memory instructions of the kernel with how many lanes executed them, and for each element of
 * an array of the host's how often it was loaded and stored, and by whom first and last. */
#ifndef EMULATOR_ACCESSES_H
#define EMULATOR_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

struct accesses;
struct launch;
struct operation;
struct warp;

/* Opens LOCKSTEP_ACCESSES: at cuInit, since the process may lock itself in afterwards. */
void accesses_open(void);

/* NULL when nothing is to be recorded, or there is no memory for it. */
struct accesses *accesses_start(const struct launch *launch);
void accesses_end(struct accesses *accesses);

/* The lanes of a request, and the address of each. */
void accesses_note(struct accesses *accesses, const struct warp *warp, const struct operation *operation,
                   const uint64_t address[32], uint32_t lanes);

#endif
