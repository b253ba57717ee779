/* A call that a child does (guard.h): the function, its context, its arrays. */
#ifndef GUARD_CALL_H
#define GUARD_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/lab/lab.h"

enum { GUARD_ARRAYS = 40 };

struct guard_array {
    const char *name; /* for the message; borrowed */
    size_t element_bytes, count;
    void *bytes; /* guard_place sets it: the same address in both processes; valid until the next guard_place */
};

/* One call of a lab's code. */
struct guard_call {
    const struct lab *lab; /* a described one */
    const struct lab_case *the_case;
    void (*body)(void *context); /* what the child does */
    void *context;               /* [context_bytes] handed to it in a copy, and copied back; its pointers must lead into the
                                    arrays, or to what existed when the lab had been read */
    size_t context_bytes;
    struct guard_array arrays[GUARD_ARRAYS];
    int array_count;
    /* Between guard_place and guard_run. */
    int attempt;
    char *finding; /* owned; what the first attempt found */
};

#endif
