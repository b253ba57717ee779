/* Integer expressions in a source, evaluated for one thread and written out: "blockIdx.x*blockDim.x + threadIdx.x" and
 * "3*256 + 232". */
#ifndef EMULATOR_EXPRESSION_H
#define EMULATOR_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/language/source.h"

enum { EXPRESSION_BYTES = 160 };

struct expression_names {
    /* Value of the name that begins with token `at`: a word, or several (threadIdx . x). Returns how many tokens it takes,
     * 0 when its value is unknown. */
    size_t (*value)(void *context, size_t at, size_t end, int64_t *value);
    void *context;
};

struct expression {
    int64_t value;
    unsigned names;                 /* how many names with a value it contains */
    bool is_name;                   /* it is one name and nothing else */
    char text[EXPRESSION_BYTES];    /* as written, with spaces around + and - only */
    char numbers[EXPRESSION_BYTES]; /* the same with values instead of names */
};

/* Evaluates tokens [first, end), in 64 bits. Understands the integer operators of C, casts to integer types and brackets.
 * Returns false when there is anything else, a name is unknown, or the texts grow too long. */
bool expression_evaluate(const struct source *source, size_t first, size_t end, const struct expression_names *names,
                         struct expression *expression);

#endif
