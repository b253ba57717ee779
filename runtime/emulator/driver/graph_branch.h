/* The launch of a graph is many pieces of work, which are done one after the other here and need not be on a GPU. A branch is a
 * row of such pieces: each comes after those before it in its branch, and after as many pieces of other branches as `done`
 * says. */
#ifndef EMULATOR_GRAPH_BRANCH_H
#define EMULATOR_GRAPH_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

struct graph_branch {
    unsigned branch;      /* in which the piece is */
    const uint32_t *done; /* [count]: pieces of each branch, this one among them */
    unsigned count;
};

/* The number of the piece in its branch, from 1. */
static inline uint32_t graph_branch_step(const struct graph_branch *piece)
{
    return piece->done[piece->branch];
}

/* Does the piece come after that one of the same launch, or is it that one? */
static inline bool graph_branch_is_after(const struct graph_branch *piece, unsigned branch, uint32_t step)
{
    return branch < piece->count && piece->done[branch] >= step;
}

#endif
