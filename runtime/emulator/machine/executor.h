/* An executor: the functions that operations are made of. There is one for each level of the processor's vector
 * instructions, with and without the hooks of the observers; execute/executor_select.h picks. */
#ifndef EMULATOR_EXECUTOR_H
#define EMULATOR_EXECUTOR_H

#include <stddef.h>

#include "runtime/emulator/machine/bytecode.h"

struct executor {
    const char *name; /* "baseline", "avx2", "avx512" */
    operation_run *run[HANDLER_COUNT];
    operation_run *affine[HANDLER_COUNT]; /* on affine registers; NULL: there is none (operations.def) */
    /* Lets neighbouring operations run as one where there is a function for them; each can still be jumped to. */
    void (*fuse)(struct operation *operations, size_t count);
};

#endif
