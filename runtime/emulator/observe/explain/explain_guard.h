/* The conditions under which a place of a function is reached, read from the source. */
#ifndef EMULATOR_EXPLAIN_GUARD_H
#define EMULATOR_EXPLAIN_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/language/source.h"

enum guard_kind {
    GUARD_IF,     /* around the place: if, while's head, ?:, && or || */
    GUARD_LEFT,   /* an if before the place, whose branch leaves */
    GUARD_LOOP,   /* the condition of a loop around the place */
    GUARD_EAGER,  /* left operand of & or | whose right operand holds the place: no guard, though it may look like one */
    GUARD_AFTER,  /* no guard: the condition of do … while, which is asked after the place */
    GUARD_EMPTY,  /* no guard: the condition of an if before the place that controls nothing but a ; */
    GUARD_NOTHING /* a loop without a condition */
};

struct guard {
    enum guard_kind kind;
    size_t first, end; /* tokens of the condition */
    size_t body;       /* token from which on it holds */
    size_t loop_end;   /* of a loop: behind its body; 0 else */
    bool holds;        /* at the place the condition is true; else it is false */
};

enum { GUARDS_MOST = 16 };

struct guards {
    struct guard list[GUARDS_MOST]; /* from the outside to the inside */
    unsigned count;
};

/* Reads the conditions of the token `target` in the function's body. Returns false where the source is not understood:
 * goto, switch, macros with parameters, more conditions than fit. */
bool guards_read(const struct source *source, const struct source_function *function, size_t target, struct guards *guards);

/* The next comparison among tokens [*at, end) that are joined by && (holds) or || (else), without brackets around it. Its sides
 * are [*left, *sign) and [*sign + 1, *right). Returns false at the end; what is not a comparison of two sides has *sign = 0. */
bool guards_comparison(const struct source *source, size_t *at, size_t end, bool holds, size_t *left, size_t *sign,
                       size_t *right);

#endif
