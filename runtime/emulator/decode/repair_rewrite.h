/* Repairs that change more than they put in. Each returns false when the function has no place for it. */
#ifndef EMULATOR_REPAIR_REWRITE_H
#define EMULATOR_REPAIR_REWRITE_H

#include "runtime/emulator/decode/repair_edit.h"

/* Reading, changing and writing one element, at `line`, becomes one atomic operation. */
bool repair_make_atomic(struct repair_editor *editor, int line);

/* A barrier between the last read and the first write of `line`, and one after it. Where they are under an `if` that not all
 * threads take, its instructions get guards, so that the others come to the barriers too. */
bool repair_split(struct repair_editor *editor, int line,
                  struct ptx_instruction (*make)(struct repair_editor *editor, int like));

/* Local arrays become shared ones, one for each block. */
bool repair_share_local(struct repair_editor *editor);

/* Threads that would leave before the kernel's end go on; accesses outside of arrays are left out. */
bool repair_keep_threads(struct repair_editor *editor);

#endif
