#include "grader/judge/classify.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "grader/judge/classify_try.h"

/* Errors above this many bounds are not a matter of rounding; below, and small beside the values, they are a near miss. */
#define NEAR_MISS_BOUNDS   4096.0
#define NEAR_MISS_RELATIVE 1e-3
/* … of an exact rule, beside the numbers that an element comes from. */
#define NEAR_MISS_ROUNDINGS 64

const struct lab_expected *classify_expected_of(const struct classify_input *input)
{
    return input->wrong.expected;
}

bool classify_is_float(const struct classify_input *input)
{
    return classify_expected_of(input)->f != NULL;
}

double classify_unit_of(const struct classify_input *input)
{
    return types_unit(classify_expected_of(input)->type);
}

double classify_got_value(const struct classify_input *input, size_t i)
{
    return types_get_value(classify_expected_of(input)->type, input->wrong.got, i);
}

double classify_want_value(const struct lab_expected *expected, size_t i)
{
    return expected->f ? expected->f[i] : types_integer_value(expected->type, expected->i[i]);
}

double classify_bound_of(const struct lab_expected *expected, size_t i)
{
    double bound = !expected->bound ? 0 : expected->bound[i];
    return bound == LAB_NOT_COMPARED ? (double)INFINITY : bound;
}

bool classify_is_bad(const struct classify_input *input, size_t i)
{
    return !compare_element(classify_expected_of(input), input->wrong.got, i);
}

bool classify_is_telling(const struct classify_input *input, size_t i)
{
    double want = classify_want_value(classify_expected_of(input), i);
    return isfinite(want) && want != 0;
}

bool classify_has_value_of(const struct classify_input *input, size_t i, size_t place)
{
    double got = classify_got_value(input, i), want = classify_want_value(classify_expected_of(input), place);
    double bound = classify_bound_of(classify_expected_of(input), place);
    return isnan(want) ? isnan(got) : got == want || fabs(got - want) <= bound;
}

size_t classify_block_of(const struct classify_input *input)
{
    const struct lab_expected *expected = classify_expected_of(input);
    bool linear = expected->columns == 0 && input->wrong.elements_per_block > 1;
    size_t block = linear ? (size_t)input->wrong.elements_per_block : 0;
    /* Where a grid is smaller than that, a block comes back for more, and no element tells whose it is. */
    bool covered = block > 0 && (input->blocks == 0 || input->blocks >= (expected->count + block - 1) / block);
    return covered ? block : 0;
}

const struct lab_output *classify_output_of(const struct classify_input *input)
{
    return &input->lab->outputs[input->wrong.output];
}

void classify_say(struct classify_result *result, const char *format, ...)
{
    size_t used = strlen(result->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->message + used, sizeof result->message - used, format, arguments);
    va_end(arguments);
}

bool classify_found(struct classify_result *result, const char *pattern)
{
    result->code = "wrong_value";
    result->pattern = pattern;
    result->explained = true;
    return true;
}

void classify_format_value(const struct lab_expected *expected, const void *got, size_t index, char *text, size_t text_bytes)
{
    if (!expected->f) {
        int64_t integer = got ? types_get_integer(expected->type, got, index) : expected->i[index];
        types_format_integer(expected->type, integer, text, text_bytes);
        return;
    }
    double scale = expected->scale == 0 ? 1 : expected->scale;
    double value = got ? types_get_float(expected->type, got, index) : expected->f[index];
    types_format_float(expected->type, scale * value, text, text_bytes);
}

/* Names as the student's kernels have them, where they are known. */
static const char *name_of_output(const struct classify_input *input)
{
    return input->output_name ? input->output_name : classify_output_of(input)->name;
}

static const char *name_of_array(const struct classify_input *input, int array)
{
    return input->wrong.names[array] ? input->wrong.names[array] : input->lab->arrays[array].name;
}

/* "c[17]", "C[row 3, column 4]", "pi" */
static void say_place(const struct classify_input *input, size_t index, struct classify_result *result)
{
    const struct lab_output *output = classify_output_of(input);
    const char *name = name_of_output(input);
    size_t columns = classify_expected_of(input)->columns;
    if (output->scalar) {
        classify_say(result, "%s", name);
    } else if (columns > 0) {
        classify_say(result, "%s[row %zu, column %zu]", name, index / columns, index % columns);
    } else {
        classify_say(result, "%s[%zu]", name, index);
    }
}

/* "with a = 0.37": what a kernel took as an argument of its own. */
static void say_scalars(const struct classify_input *input, struct classify_result *result)
{
    for (int i = 0; i < input->lab->scalar_count; i++) {
        const struct lab_scalar *scalar = &input->lab->scalars[i];
        const union lab_value *value = &input->wrong.data->scalar[i];
        char text[64];
        if (types_is_float(scalar->type))
            types_format_float(scalar->type, value->f, text, sizeof text);
        else
            types_format_integer(scalar->type, value->i, text, sizeof text);
        classify_say(result, "%s%s = %s",
                     i == 0                             ? " with "
                     : i + 1 < input->lab->scalar_count ? ", "
                                                        : " and ",
                     input->wrong.scalar_names[i] ? input->wrong.scalar_names[i] : scalar->name, text);
    }
}

static void say_facts(const struct classify_input *input, struct classify_result *result)
{
    const struct compare_result *comparison = input->comparison;
    say_place(input, comparison->first_bad, result);
    classify_say(result, " should be %s but is %s", result->expected, result->actual);
    say_scalars(input, result);
    if (comparison->count > 1) {
        classify_say(result, "; %zu of %zu elements %s wrong", comparison->bad_count, comparison->count,
                     comparison->bad_count == 1 ? "is" : "are");
    }
    classify_say(result, ". ");
}

/* Poison that is still there is the first cause: whatever read it went wrong as a consequence. One word could be an accident
 * (2^-32), unless it is all that is wrong. */
static bool try_never_written(const struct classify_input *input, struct classify_result *result)
{
    const struct compare_unwritten *unwritten = input->unwritten;
    if (!unwritten || unwritten->count == 0 || (unwritten->count == 1 && input->comparison->bad_count > 1)) {
        return false;
    }
    const char *name = name_of_output(input);
    size_t count = classify_expected_of(input)->count, block = classify_block_of(input);
    result->code = "never_written";
    if (input->run > 0 && input->first_run_right) {
        classify_say(result,
                     "The first run of this case was right. In the second one, with other inputs, %zu of %zu elements of %s "
                     "were never written. What differs: the inputs, or what variables outside of the kernel still hold?",
                     unwritten->count, count, name);
        result->pattern = "kept";
        return true;
    }
    size_t first = unwritten->first, last = unwritten->last;
    bool together = last - first + 1 == unwritten->count;
    if (count == 1) {
        say_place(input, 0, result);
        classify_say(result, " was never written. Does the kernel store its result, and in the right array?");
    } else if (unwritten->count == count) {
        classify_say(result, "No element of %s was ever written. Does the kernel store its result, and in the right array?",
                     name);
    } else if (classify_expected_of(input)->columns > 0) {
        if (unwritten->count > 1) {
            classify_say(result, "%zu elements from ", unwritten->count);
        }
        say_place(input, first, result);
        if (unwritten->count > 1) {
            classify_say(result, " to ");
            say_place(input, last, result);
        }
        classify_say(result, " %s never written. Which thread should have done it?", unwritten->count == 1 ? "was" : "were");
    } else if (together) {
        if (unwritten->count == 1) {
            classify_say(result, "Element %zu of %s, the %s, was never written. ", first, name,
                         first == 0           ? "first"
                         : first + 1 == count ? "last"
                                              : "only one missing");
        } else {
            classify_say(result, "Elements %zu..%zu of %s%s were never written. ", first, last, name,
                         last + 1 == count && first > 0 ? ", the last ones," : "");
        }
        if (block > 0 && last + 1 == count && first > 0 && first % block == 0) {
            classify_say(result, "%zu elements need %zu blocks of %zu. ", count, (count + block - 1) / block, block);
        }
        classify_say(result, "Which thread should have done %s?", unwritten->count == 1 ? "it" : "them");
    } else {
        classify_say(result, "%zu of %zu elements of %s, the first of them %s[%zu], were never written. ", unwritten->count,
                     count, name, name, first);
        classify_say(result, "Which threads should have done them?");
    }
    return true;
}

static bool try_lab(const struct classify_input *input, struct classify_result *result)
{
    const char *pattern = NULL;
    char message[sizeof result->message] = "";
    if (!input->lab->classify || !input->lab->classify(input->lab, &input->wrong, &pattern, message, sizeof message)) {
        return false;
    }
    classify_say(result, "%s", message);
    size_t length = strlen(message);
    result->asks = length > 0 && message[length - 1] == '?'; /* what a lab says may leave the question to its hints */
    result->by_lab = true;
    result->open = pattern && pattern[0] == '?';
    result->certain = pattern && pattern[0] == '!';
    pattern = result->open || result->certain ? pattern + 1 : pattern;
    return classify_found(result, !pattern ? "other" : pattern);
}

/* The second run gave the first run's answer. */
static bool try_stale(const struct classify_input *input, struct classify_result *result)
{
    struct compare_result comparison;
    const struct lab_expected *first = input->first_expected;
    if (input->run == 0 || !first || first->count != classify_expected_of(input)->count
        || input->comparison->bad_count < CLASSIFY_ENOUGH || compare_output(first, input->wrong.got, &comparison) > 0) {
        return false;
    }
    classify_say(
        result,
        "This is the answer to the first run of the case; the second run had other inputs. What does the module keep from "
        "one launch to the next?");
    return classify_found(result, "other");
}

static bool try_equal_to_input(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_data *data = input->wrong.data;
    size_t count = classify_expected_of(input)->count;
    for (int array = 0; count >= CLASSIFY_ENOUGH && array < input->lab->array_count; array++) {
        const struct lab_array *row = &input->lab->arrays[array];
        size_t bytes = types_get(row->type)->bytes;
        bool same_type = types_is_float(row->type) == classify_is_float(input)
                         && bytes == types_get(classify_expected_of(input)->type)->bytes;
        if (row->role != LAB_OUTPUT && same_type && data->count[array] == count
            && memcmp(data->array[array].bytes, input->wrong.got, count * bytes) == 0) {
            if (row->role == LAB_IN_PLACE) {
                classify_say(result, "%s is the same as before the launch. Does the kernel store its result?",
                             name_of_array(input, array));
            } else {
                classify_say(result, "%s is a copy of %s. What should happen to the values?", name_of_output(input),
                             name_of_array(input, array));
            }
            return classify_found(result, "other");
        }
    }
    return false;
}

static bool try_constant(const struct classify_input *input, struct classify_result *result)
{
    const char *got = input->wrong.got;
    size_t count = classify_expected_of(input)->count, bytes = types_get(classify_expected_of(input)->type)->bytes;
    for (size_t i = 1; i < count; i++) {
        if (memcmp(got + i * bytes, got, bytes) != 0) {
            return false;
        }
    }
    if (count < CLASSIFY_ENOUGH || input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    classify_say(result, "Every element is %s. ", result->actual);
    if (classify_got_value(input, 0) == 0) {
        classify_say(result,
                     classify_is_float(input)
                         ? "Does a value pass through an int on its way, which keeps nothing of a number between -1 and "
                           "1? Or is something multiplied by 0?"
                         : "Is something multiplied by 0, or stored before it is computed?");
    } else if (!isfinite(classify_got_value(input, 0))) {
        classify_say(result, "Which value on the way is not a number, or was never set?");
    } else {
        classify_say(result, "What in the kernel should differ from thread to thread?");
    }
    return classify_found(result, "other");
}

/* Is each wrong element the number next to the right one, in the direction of 0? (Beside infinity that is the largest.) */
static bool is_truncated(const struct classify_input *input)
{
    const struct lab_expected *expected = classify_expected_of(input);
    for (size_t i = 0; i < expected->count; i++)
        if (classify_is_bad(input, i)
            && classify_got_value(input, i) != types_next(expected->type, types_round(expected->type, expected->f[i]), 0))
            return false;
    return input->comparison->bad_count >= 4;
}

static bool try_near_miss(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    const struct compare_result *comparison = input->comparison;
    double largest = 0, limit = comparison->worst_in_bounds;
    bool exact = !expected->bound;
    if (!classify_is_float(input)) {
        return false;
    }
    bool truncated = exact && is_truncated(input);
    if (comparison->not_finite_count > 0 && !truncated) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        largest = isfinite(expected->f[i]) ? fmax(largest, fabs(expected->f[i])) : largest;
    }
    if (!exact && (comparison->worst_error > NEAR_MISS_RELATIVE * largest || limit > NEAR_MISS_BOUNDS)) {
        return false;
    }
    /* Where the rule is exact there is no bound to measure in: some roundings of the numbers that the element comes from. */
    for (size_t i = 0; i < expected->count && exact && !truncated; i++) {
        if (classify_is_bad(input, i)
            && !(fabs(classify_got_value(input, i) - expected->f[i])
                 <= NEAR_MISS_ROUNDINGS * types_unit(expected->type) * classify_scale_of(input, i))) {
            return false;
        }
    }
    result->code = "near_miss";
    if (truncated) {
        classify_say(result,
                     "Every wrong element is the neighbour of the right one that is nearer to 0: this is the result rounded "
                     "toward 0, not to the nearest %s. Which operation rounds so?",
                     types_get(expected->type)->c);
        return true;
    }
    if (exact) {
        classify_say(result, "Close, but not the rounded result: the error is up to %.3g.", comparison->worst_error);
    } else {
        classify_say(result, "Close, but beyond rounding: the error is up to %.3g times the bound.", limit);
    }
    classify_say(result, " Accepted: %s. Which step loses digits?", !expected->rule ? "the exact result" : expected->rule);
    return true;
}

static bool try_second_run(const struct classify_input *input, struct classify_result *result)
{
    if (input->run == 0 || !input->first_run_right) {
        return false;
    }
    /* Whether it is the memory or the inputs that make the difference is not known. */
    classify_say(result, "The first run of this case was right; this is the second, with other inputs.");
    result->code = "wrong_value";
    result->pattern = "other";
    return true;
}

/* A matrix of one row or one column: its elements have a factor in common, and another test shows more. */
static bool is_one_line(const struct classify_input *input)
{
    size_t columns = classify_expected_of(input)->columns, count = classify_expected_of(input)->count;
    return columns > 0 && (columns == 1 || columns == count);
}

void classify_wrong(const struct classify_input *input, struct classify_result *result)
{
    static bool (*const tries[])(const struct classify_input *, struct classify_result *) = {
        try_stale,
        try_lab,
        try_equal_to_input,
        classify_try_special,
        classify_try_small,
        classify_try_past_half,
        try_constant,
        classify_try_infinite,
        classify_try_whole_numbers,
        classify_try_wrapped,
        classify_try_shifted,
        classify_try_transposed,
        classify_try_block_constant,
        classify_try_multiple,
        classify_try_lost_updates,
        try_near_miss,
        classify_try_few_digits,
        classify_try_repeated_block,
        classify_try_ragged_edge,
        classify_try_tail,
        classify_try_period,
        try_second_run,
    };
    assert(input->comparison->bad_count > 0);
    memset(result, 0, sizeof *result);
    size_t first = input->comparison->first_bad;
    classify_format_value(classify_expected_of(input), NULL, first, result->expected, sizeof result->expected);
    classify_format_value(classify_expected_of(input), input->wrong.got, first, result->actual, sizeof result->actual);
    /* What was never stored has no wrong value: the poison that is still there would only confuse. */
    if (try_never_written(input, result)) {
        result->asks = true;
        snprintf(result->actual, sizeof result->actual, "never written");
        return;
    }
    say_facts(input, result);
    size_t facts = strlen(result->message);
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        if (tries[k](input, result)) {
            result->asks |= tries[k] != try_lab && tries[k] != try_second_run;
            result->rare |= tries[k] != try_lab && is_one_line(input);
            return;
        }
        result->message[facts] = '\0';
    }
    result->code = "wrong_value";
    result->pattern = "other";
    classify_say_inputs(input, result);
    result->message[strlen(result->message) - 1] = '\0'; /* no blank after the last sentence */
}
