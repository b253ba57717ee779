/* Repairs that change more than they put in. Each returns false when the function has no place for it. */
#ifndef EMULATOR_REPAIR_REWRITE_H
#define EMULATOR_REPAIR_REWRITE_H

#include "runtime/emulator/decode/repair_edit.h"

/* Reading, changing and writing one element, at `line`, becomes one atomic operation. */
bool repair_make_atomic(struct repair_editor *editor, int line);

/* A barrier between the last read and the first write of `line`, and with `behind` one after it.
 *   for_all   of the block: where the line is under an `if` that not all threads take, its instructions get guards, so that the
 *             others come to the barriers too
 */
bool repair_split(struct repair_editor *editor, int line, repair_make *make, bool for_all, bool behind);

/* All threads reach the barrier of `line`: the instructions around it, under an `if` that not all threads take, get guards. */
bool repair_open_barrier(struct repair_editor *editor, int line);

/* Local arrays become shared ones, one for each block. */
bool repair_share_local(struct repair_editor *editor);

/* Threads that would leave before the kernel's end go on; accesses outside of arrays are left out. */
bool repair_keep_threads(struct repair_editor *editor);

#endif
