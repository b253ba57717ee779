/* Stores that other threads see late (schedule "stores-held").
 *
 * Device memory always holds what was stored last, so that checkers and copies work as usual. What a store replaced
 * is kept here, and a load by another thread gets that, until the storing thread reaches a fence, a barrier, a release
 * or its end. Before an atomic or a strong store, everything held at its place becomes visible. A store may become
 * visible at any time, so one that does not fit is simply not held.
 */
#ifndef EMULATOR_HELD_H
#define EMULATOR_HELD_H

#include "runtime/emulator/machine/warp.h"

/* Runs the operation. *gives_way is set when its lanes wrote something strong while plain stores of theirs are held, or when one
 * thread alone set a flag: now others should run, which may see it without what is stored before or after it. */
const struct operation *held_step(struct warp *warp, const struct operation *operation, bool *gives_way);

/* Is there a store that other threads do not see yet? */
bool held_is_pending(const struct launch *launch);

/* Everything that is held becomes visible; gives back the memory. At the end of a launch. */
void held_end(struct launch *launch);

#endif
