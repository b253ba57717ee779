/* What a child saw of a fault in a lab's code, and the sentence about it. Internal to guard.c. */
#ifndef GUARD_FAULT_H
#define GUARD_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "grader/lab/describe/guard_call.h"

struct guard_trouble {
    int signal, code;  /* si_code; of a process that has ended: its exit status */
    uintptr_t address; /* that was to be accessed */
    uintptr_t place;   /* in the lab's code; 0: not known */
    enum { GUARD_ACCESSES, GUARD_READS, GUARD_WRITES } access;
    bool stack_is_used_up, is_out_of_memory, exits, does_not_end;
    bool has_ended; /* without a word */
    bool is_beside; /* found afterwards, at this index of this array */
    int array;
    int64_t index;
};

/* "reference.c:8: writes out[31] of 31 elements (n = 31)": a sentence without its full stop, owned by the caller. */
char *guard_fault_describe(const struct guard_call *call, const struct guard_trouble *trouble, int limit_seconds,
                           uint64_t memory_mb);

#endif
