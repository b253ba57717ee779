/* Which compute capability an instruction needs: targets.def. */
#ifndef PTX_TARGETS_H
#define PTX_TARGETS_H

#include "runtime/language/ptx/module.h"

/* The lowest .target that has it (90: sm_90); 0: no row speaks of it. Cannot fail. */
int ptx_target_needed(const struct ptx_instruction *instruction);

#endif
