/* Did the device compute the results? Right numbers are looked for among those that kernels have stored, and among those that
 * the host had put on the device before: from the record of calls, so it is evidence like the rest (README.md). */
#ifndef PROGRAM_COMPUTED_H
#define PROGRAM_COMPUTED_H

#include "grader/program/calls.h"
#include "grader/program/exchange.h"

enum computed_verdict {
    COMPUTED_THERE,     /* or nothing speaks against it */
    COMPUTED_NOT_THERE, /* there are results that no kernel has stored, no fill has put there and no input is */
    COMPUTED_BEFORE,    /* the results were copied there before any kernel had stored them */
};

struct computed {
    enum computed_verdict verdict;
    uint64_t bytes; /* THERE: of all results, in the type in which kernels have stored them; 0: unknown */
    int output;     /* the others: index in lab->outputs */
    size_t missing; /* NOT_THERE: how many results */
    size_t index;   /* NOT_THERE: the first of them, an element of the output */
    char value[64]; /* NOT_THERE: that result */
};

/* Looks at the results of a case, which the program has printed. */
struct computed computed_look(const struct exchange *exchange, const struct calls *calls);

#endif
