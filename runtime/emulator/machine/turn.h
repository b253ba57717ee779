/* What a thread does in one turn of a loop that seems not to end: its operations are noted for a while, before that is
 * reported (words.h, loop).
 */
#ifndef EMULATOR_TURN_H
#define EMULATOR_TURN_H

#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/machine/work.h"

/* Of a launch that is about to be stopped, so much before its end. */
enum { TURN_FUEL = 1 << 18 };

/* Begins to note the operations of a warp; NULL: of the first that could continue. Does nothing when there is none, or without
 * memory; once begun, it goes on until a block has finished. */
void turn_begin(struct launch *launch, struct warp *warp);
void turn_end(struct launch *launch);

/* The last operation of the kernel itself that was noted; NULL: none was, or the thread has left. */
const struct operation *turn_latest(const struct launch *launch);

/* Is the launch about to be stopped, and no thread's turn being noted? */
static inline bool turn_is_wanted(const struct launch *launch)
{
    const struct turn *turn = &launch->turn;
    return (launch->fuel < TURN_FUEL || work_is_nearly_spent()) && !(turn->warp && turn->warp->live >> turn->lane & 1);
}

/* Is an operation one of those that come again and again? The first half of the steps may lead to the loop. */
static inline bool turn_has(const struct turn *turn, size_t operation)
{
    return turn->seen && turn->seen[operation] > turn->steps / 2;
}

static inline void turn_note(const struct warp *warp, const struct operation *operation)
{
    struct turn *turn = &warp->launch->turn;
    const struct code *code = warp->launch->code;
    if (warp == turn->warp && warp->mask >> turn->lane & 1 && operation >= code->operations
        && operation < code->operations + code->operation_count) {
        turn->seen[operation - code->operations] = ++turn->steps;
        turn->latest = operation;
    }
}

#endif
