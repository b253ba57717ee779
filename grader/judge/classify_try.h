/* The pieces of the classifier: facts about a wrong output, and one try per pattern. For classify*.c only.
 *
 * A try looks for strong evidence of its pattern. When it finds it, it sets code and pattern, adds its text to the message
 * and returns true; otherwise it leaves code and pattern alone (the caller cuts what it may have added to the message).
 */
#ifndef GRADER_CLASSIFY_TRY_H
#define GRADER_CLASSIFY_TRY_H

#include "grader/judge/classify_facts.h"

/* Wrong elements that a pattern of values must explain before it is believed. */
#define CLASSIFY_ENOUGH 8

const struct lab_expected *classify_expected_of(const struct classify_input *input);
const struct lab_output *classify_output_of(const struct classify_input *input);
bool classify_is_float(const struct classify_input *input);

/* The relative error of one rounding to the output's type, a float's. */
double classify_unit_of(const struct classify_input *input);

/* Element `i` as the kernel left it, as it should be, and the bound between the two (0: exact). */
double classify_got_value(const struct classify_input *input, size_t i);
double classify_want_value(const struct lab_expected *expected, size_t i);
double classify_bound_of(const struct lab_expected *expected, size_t i);

bool classify_is_bad(const struct classify_input *input, size_t i);

/* Whether a right element `i` tells anything: 0, NaN and infinities come out of many a wrong computation too. */
bool classify_is_telling(const struct classify_input *input, size_t i);

/* Whether element `i` has the value that belongs to element `place`. */
bool classify_has_value_of(const struct classify_input *input, size_t i, size_t place);

/* Elements of a block in a one-dimensional output; 0 where that means nothing. */
size_t classify_block_of(const struct classify_input *input);

/* Adds to the message; cuts it where it is full. */
void classify_say(struct classify_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes the result a wrong_value of this pattern. Returns true. */
bool classify_found(struct classify_result *result, const char *pattern);

/* The largest of the numbers that element `i` comes from, its own right value included; infinities are left out. */
double classify_scale_of(const struct classify_input *input, size_t i);

/* "a[2] is NaN, b[2] is -inf. ", of the first wrong element, in a lab where each element comes from those of its own index. */
void classify_say_inputs(const struct classify_input *input, struct classify_result *result);

/* Patterns of inputs: classify_inputs.c. */
bool classify_try_special(const struct classify_input *input, struct classify_result *result);
bool classify_try_small(const struct classify_input *input, struct classify_result *result);
bool classify_try_infinite(const struct classify_input *input, struct classify_result *result);

/* Patterns of values: classify_values.c. */
bool classify_try_shifted(const struct classify_input *input, struct classify_result *result);
bool classify_try_transposed(const struct classify_input *input, struct classify_result *result);
bool classify_try_block_constant(const struct classify_input *input, struct classify_result *result);
bool classify_try_multiple(const struct classify_input *input, struct classify_result *result);
bool classify_try_lost_updates(const struct classify_input *input, struct classify_result *result);

/* Patterns of types: classify_types.c. */
bool classify_try_whole_numbers(const struct classify_input *input, struct classify_result *result);
bool classify_try_few_digits(const struct classify_input *input, struct classify_result *result);
bool classify_try_past_half(const struct classify_input *input, struct classify_result *result);
bool classify_try_wrapped(const struct classify_input *input, struct classify_result *result);

/* Patterns of places: classify_places.c. */
bool classify_try_repeated_block(const struct classify_input *input, struct classify_result *result);
bool classify_try_ragged_edge(const struct classify_input *input, struct classify_result *result);
bool classify_try_tail(const struct classify_input *input, struct classify_result *result);
bool classify_try_period(const struct classify_input *input, struct classify_result *result);

#endif
