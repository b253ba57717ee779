#include "grader/judge/classify_try.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Which inputs the wrong elements have, in labs where each element comes from those of its own index. */

/* What sets a number apart from ordinary ones. */
enum kind { ORDINARY, NOT_A_NUMBER, INFINITE, SUBNORMAL, ZERO, LARGEST, KINDS };

static enum kind kind_of(enum lab_type type, double value)
{
    const struct types_row *row = types_get(type);
    double size = fabs(value), largest = types_next(type, (double)INFINITY, 0);
    return isnan(value)                                      ? NOT_A_NUMBER
           : isinf(value)                                    ? INFINITE
           : value == 0                                      ? ZERO
           : size < ldexp(1.0, row->least + row->digits - 1) ? SUBNORMAL
           : size >= largest / 32                            ? LARGEST
                                                             : ORDINARY;
}

/* Is it an input array of floats whose element i is the one that the output's element i comes from? */
static bool is_source(const struct classify_input *input, int array)
{
    const struct lab_array *row = &input->lab->arrays[array];
    return input->lab->elementwise && row->role != LAB_OUTPUT && types_is_float(row->type)
           && input->wrong.data->count[array] >= classify_expected_of(input)->count;
}

static double source_value(const struct classify_input *input, int array, size_t i)
{
    return types_get_float(input->lab->arrays[array].type, input->wrong.data->array[array].bytes, i);
}

double classify_scale_of(const struct classify_input *input, size_t i)
{
    double want = fabs(classify_want_value(classify_expected_of(input), i)), scale = isfinite(want) ? want : 0;
    for (int array = 0; array < input->lab->array_count; array++) {
        double value = is_source(input, array) ? source_value(input, array, i) : 0;
        scale = isfinite(value) ? fmax(scale, fabs(value)) : scale;
    }
    return scale;
}

static void say_number(struct classify_result *result, enum lab_type type, double value)
{
    char text[64];
    types_format_float(type, value, text, sizeof text);
    classify_say(result, "%s", text);
}

void classify_say_inputs(const struct classify_input *input, struct classify_result *result)
{
    size_t first = input->comparison->first_bad;
    const char *before = "";
    for (int array = 0; array < input->lab->array_count; array++) {
        if (!is_source(input, array))
            continue;
        bool in_place = input->lab->arrays[array].role == LAB_IN_PLACE;
        classify_say(result, "%s%s[%zu] %s ", before,
                     input->wrong.names[array] ? input->wrong.names[array] : input->lab->arrays[array].name, first,
                     in_place ? "was" : "is");
        say_number(result, input->lab->arrays[array].type, source_value(input, array, first));
        classify_say(result, "%s", in_place ? " before" : "");
        before = ", ";
    }
    classify_say(result, "%s", before[0] != '\0' ? ". " : "");
}

/* What sets element i apart: the kinds of its inputs and of its right value, as bits. */
static unsigned kinds_of(const struct classify_input *input, size_t i)
{
    unsigned kinds = 1u << kind_of(classify_expected_of(input)->type, classify_want_value(classify_expected_of(input), i));
    for (int array = 0; array < input->lab->array_count; array++) {
        if (is_source(input, array))
            kinds |= 1u << kind_of(input->lab->arrays[array].type, source_value(input, array, i));
    }
    return kinds & ~(1u << ORDINARY);
}

static void say_kinds(struct classify_result *result, enum lab_type type, unsigned kinds)
{
    char largest[64];
    snprintf(largest, sizeof largest, "near the largest %s", types_get(type)->c);
    const char *const names[KINDS] = {NULL, "NaN", "infinite", "subnormal", "0", largest};
    int left = 0;
    for (int kind = 1; kind < KINDS; kind++)
        left += (kinds & (1u << kind)) != 0;
    for (int kind = 1; kind < KINDS; kind++) {
        if (!(kinds & (1u << kind)))
            continue;
        left--;
        classify_say(result, "%s%s", names[kind], left > 1 ? ", " : left == 1 ? " or " : "");
    }
}

bool classify_try_special(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t ordinary = 0, nan = 0, made = 0;
    unsigned kinds = 0;
    if (!classify_is_float(input) || !input->lab->elementwise || input->comparison->bad_count < 4) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        unsigned own = kinds_of(input, i);
        bool bad = classify_is_bad(input, i);
        if (bad && own == 0) {
            return false;
        }
        kinds |= bad ? own : 0;
        ordinary += own == 0;
        nan += bad && isnan(expected->f[i]);
        made += bad && isnan(classify_got_value(input, i)) && !(own & (1u << NOT_A_NUMBER)) && (own & 1u << INFINITE);
    }
    if (ordinary < 4 * CLASSIFY_ENOUGH) {
        return false;
    }
    classify_say_inputs(input, result);
    if (nan == input->comparison->bad_count) {
        classify_say(result, "Every wrong element should be NaN, and the %zu elements of ordinary numbers are all right. ",
                     ordinary);
        classify_say(result, "Which inputs give NaN, and what does the kernel make of them?");
    } else {
        classify_say(result, "Of every wrong element, an input or the right result is special: ");
        say_kinds(result, expected->type, kinds);
        classify_say(result, ". The %zu elements without a special input or result are all right. ", ordinary);
        if (made == input->comparison->bad_count)
            classify_say(result,
                         "Each wrong one has become NaN, without a NaN among its inputs: infinity - infinity is NaN, and "
                         "so is 0 x infinity. Does a line compute one of these?");
        else
            classify_say(result, "What does the kernel make of such a number?");
    }
    result->closed = result->rare = true;
    return classify_found(result, "special");
}

bool classify_try_small(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    double largest = 0, smallest_right = INFINITY;
    size_t bad = input->comparison->bad_count, right = 0;
    if (!classify_is_float(input) || !input->lab->elementwise || expected->count < 4 * CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double want = fabs(expected->f[i]);
        if (classify_is_bad(input, i)) {
            if (classify_got_value(input, i) != 0 || !isfinite(want)) {
                return false;
            }
            largest = fmax(largest, want);
        } else if (isfinite(want) && want != 0) {
            smallest_right = fmin(smallest_right, want);
            right++;
        }
    }
    bool apart = right >= CLASSIFY_ENOUGH ? largest < smallest_right : right == 0 && largest < 1e-3;
    if (!apart) {
        return false;
    }
    if (right == 0) {
        classify_say(result, "Every wrong element is 0, and no right value of this test is farther from 0 than %.3g. ",
                     largest);
    } else if (bad == 1) {
        classify_say(result,
                     "Its right value is the one nearest to 0, but for 0 itself; the others, from %.3g on, are right. ",
                     smallest_right);
    } else {
        classify_say(
            result,
            "Every wrong element is 0: those whose right values lie within %.3g of 0. All that lie farther away, from "
            "%.3g on, are right. ",
            largest, smallest_right);
    }
    const struct types_row *type = types_get(expected->type);
    int normal = type->least + type->digits - 1;
    if (largest < ldexp(1.0, normal)) {
        classify_say(result, "They are subnormal numbers, below 2^%d. Which operation sets such a number to 0?", normal);
    } else {
        classify_say(result, "Which line makes a small number 0?");
    }
    result->closed = true;
    result->rare = largest < ldexp(1.0, normal);
    return classify_found(result, "small");
}

bool classify_try_infinite(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t infinite = 0, nan = 0, bad = input->comparison->bad_count;
    if (!classify_is_float(input) || bad < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double got = classify_got_value(input, i);
        bool counts = classify_is_bad(input, i) && isfinite(expected->f[i]);
        infinite += counts && isinf(got);
        nan += counts && isnan(got);
    }
    if (infinite + nan < bad) {
        return false;
    }
    classify_say(result, "Every wrong element is %s, and should be a finite number. ",
                 nan == 0        ? "infinite"
                 : infinite == 0 ? "NaN"
                                 : "infinite or NaN");
    classify_say(result, nan == 0 ? "By what is a number divided, or with what multiplied, so that no finite number is left?"
                                  : "Which operation on the way has no finite result?");
    return classify_found(result, "other");
}
