/* Which nodes of a graph's launch wait for which, for the record of calls and the check of their order (../driver/call_log.h,
 * unordered.h): the nodes are laid into branches, rows in which each waits for the one before. A clock says how many nodes
 * of each branch something comes after. */
#ifndef EMULATOR_BRANCHES_H
#define EMULATOR_BRANCHES_H

#include <stdint.h>

/* Nodes of wider graphs share the last branch, as if they waited for each other. */
enum { BRANCH_LIMIT = 256 };

struct branch_clock {
    uint32_t done[BRANCH_LIMIT];
};

struct branches {
    unsigned count;
    uint32_t lengths[BRANCH_LIMIT];
};

/* Puts a node at the end of a branch: of one whose nodes it all waits for, else of a new one.
 *   clock   in: what the node comes after; out: with the node itself
 * Returns the branch. */
unsigned branches_put(struct branches *branches, struct branch_clock *clock);

/* What comes after both. */
void branch_clock_join(struct branch_clock *clock, const struct branch_clock *other);

#endif
