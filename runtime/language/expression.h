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
    bool narrowed;                  /* a cast in it leaves fewer than 32 bits */
    bool wide;                      /* a value on the way does not fit in an int */
    unsigned cut_bits;              /* a cast to so many bits cuts a value; 0: none does */
    int64_t cut;                    /* that value */
    char text[EXPRESSION_BYTES];    /* as written, with spaces around + and - only */
    char numbers[EXPRESSION_BYTES]; /* the same with values instead of names, and brackets where C's order may surprise */
};

/* An integer type: 1 bit is bool. */
struct expression_type {
    unsigned bits;
    bool is_unsigned;
};

/* Reads the words of a type from token `first` on, typedef and `using` followed. Returns how many tokens before `end` they
 * are, 0 where no integer type begins. */
size_t expression_read_type(const struct source *source, size_t first, size_t end, struct expression_type *type);

/* What is left of a value in a variable of that type. */
int64_t expression_convert(int64_t value, const struct expression_type *type);

/* How tightly a binary operator binds, more for tighter; 0: the token is none that is understood. */
int expression_level(const struct source_token *token);

/* Evaluates tokens [first, end), in 64 bits. Understands the integer operators of C, casts to integer types, the size of a
 * type and brackets.
 * Macros are replaced as text, as the compiler does: with `#define SIZE 8 + 8`, 2*SIZE is 24. Returns false when there is anything else, a name is unknown, or the texts grow too long. */
bool expression_evaluate(const struct source *source, size_t first, size_t end, const struct expression_names *names,
                         struct expression *expression);

#endif
