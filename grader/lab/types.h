/* The types of a lab's arrays and scalars (types.def), and their elements in host memory. */
#ifndef TYPES_H
#define TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lab_type {
    LAB_NO_TYPE,
#define TYPE(identifier, name, c, ptx, bytes, kind, digits, least) LAB_##identifier,
#include "grader/lab/types.def"
#undef TYPE
    LAB_TYPE_COUNT
};

enum types_kind { TYPES_SIGNED, TYPES_UNSIGNED, TYPES_FLOAT };

struct types_row {
    const char *name, *c, *ptx;
    uint32_t bytes;
    enum types_kind kind;
    int digits, least; /* of a float; see types.def */
};

/* Labs' modules call these. */
#pragma GCC visibility push(default)

/* The row of a type; never of LAB_NO_TYPE. Cannot fail. */
const struct types_row *types_get(enum lab_type type);

/* The type of that name ("float32"), or of that C spelling ("float"); LAB_NO_TYPE when there is none. */
enum lab_type types_find(const char *word);

bool types_is_float(enum lab_type type);

/* Element `index` of an array in host memory: of integers (a uint64 as its bits) and of floats, each for its own kind only,
 * and as a double whatever the kind (integers beyond 2^53 rounded). */
int64_t types_get_integer(enum lab_type type, const void *array, size_t index);
double types_get_float(enum lab_type type, const void *array, size_t index);
double types_get_value(enum lab_type type, const void *array, size_t index);

/* Stores into one. An integer keeps the bits that the type has; a float is rounded to nearest, ties to even. */
void types_set_integer(enum lab_type type, void *array, size_t index, int64_t value);
void types_set_float(enum lab_type type, void *array, size_t index, double value);

/* An integer of the kind, in 64 bits, as a double: a uint64 is never negative. */
double types_integer_value(enum lab_type type, int64_t integer);

/* The number of a float type that is nearest to the value (ties to even); infinite beyond its largest. */
double types_round(enum lab_type type, double value);

/* Of the numbers of a float type, the one after `value` (one of them) in the direction of `toward`. */
double types_next(enum lab_type type, double value, double toward);

/* u: the relative error of one rounding to a float type, 2^-digits. */
double types_unit(enum lab_type type);

/* Writes a number of the type as the student reads it: a float with the digits that tell it from its neighbours. */
void types_format_integer(enum lab_type type, int64_t integer, char *text, size_t text_bytes);
void types_format_float(enum lab_type type, double value, char *text, size_t text_bytes);

/* Decimal digits that a float type has: 7 for float. */
int types_decimal_digits(enum lab_type type);

#pragma GCC visibility pop

#endif
