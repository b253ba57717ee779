/* What a module's kernels ask of others than their own threads, and of a GPU that is not the module's target. For a grader: such
 * work costs the threads nothing, or is none that their GPU could do. No header is needed to declare the functions, so what
 * the module refers to decides, not how its source spells it.
 */
#ifndef PTX_FOREIGN_H
#define PTX_FOREIGN_H

#include <stdbool.h>

#include "runtime/language/ptx/module.h"

enum ptx_foreign_kind {
    PTX_FOREIGN_RUNTIME, /* CUDA's device runtime, with which a kernel has its device copy, fill and launch */
    PTX_FOREIGN_DRIVER,  /* functions of the emulated driver's own */
    PTX_FOREIGN_TARGET,  /* instructions that the module's target does not have: targets.def */
    PTX_FOREIGN_KINDS
};

/* In records: "device_runtime", "driver", "target". */
extern const char *const ptx_foreign_words[PTX_FOREIGN_KINDS];

struct ptx_foreign {
    const char *name; /* of the function as the PTX has it, or the instruction; the module's */
    int line;         /* of the student's file; 0 unknown */
    int needed;       /* PTX_FOREIGN_TARGET: the target that has it, 90 for sm_90 */
};

/* Finds the first of that kind, by line. Returns false when there is none. Barriers of a whole grid are none. Cannot fail. */
bool ptx_foreign_find(const struct ptx_module *module, enum ptx_foreign_kind kind, struct ptx_foreign *foreign);

#endif
