#include "runtime/emulator/graph/branches.h"

unsigned branches_put(struct branches *branches, struct branch_clock *clock)
{
    unsigned branch = 0;
    while (branch < branches->count && clock->done[branch] < branches->lengths[branch])
        branch++;
    if (branch == BRANCH_LIMIT)
        branch--;
    else if (branch == branches->count)
        branches->count++;
    clock->done[branch] = ++branches->lengths[branch];
    return branch;
}

void branch_clock_join(struct branch_clock *clock, const struct branch_clock *other)
{
    for (unsigned i = 0; i < BRANCH_LIMIT; i++)
        clock->done[i] = clock->done[i] > other->done[i] ? clock->done[i] : other->done[i];
}
