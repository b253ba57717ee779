#include "grader/judge/classify_try.h"

#include <math.h>
#include <string.h>

/* Values that went through a type too narrow for them. */

/* Below it, neighbours are no more than 1/8 apart: above, whole numbers are not a surprise. */
static double fraction_max(enum lab_type type)
{
    return ldexp(1.0, types_get(type)->digits - 3);
}

/* Lost fractions of two terms, each below 1. */
#define MOST_LOST 2

/* How a whole number was made of every wrong element, if all of them agree with one way alone: "rounded down". Else NULL. */
static const char *name_rounding(const struct classify_input *input)
{
    static const struct {
        double (*round)(double value);
        const char *name;
    } ways[] = {{trunc, "without its fraction"},
                {floor, "rounded down to a whole number"},
                {ceil, "rounded up to a whole number"},
                {round, "rounded to the nearest whole number"},
                {rint, "rounded to the nearest whole number"}};
    const struct lab_expected *expected = classify_expected_of(input);
    const char *found = NULL;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        bool all = true;
        for (size_t i = 0; i < expected->count && all; i++) {
            all = !classify_is_bad(input, i)
                  || classify_got_value(input, i) == ways[way].round(types_round(expected->type, expected->f[i]));
        }
        if (all && found && way == 1) {
            continue; /* no number below 0: its fraction is lost either way */
        }
        if (all && found && found != ways[way].name) {
            return way == 4 ? found : NULL;
        }
        found = all ? ways[way].name : found;
    }
    return found;
}

bool classify_try_whole_numbers(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t lost = 0;
    if (!classify_is_float(input)) {
        return false;
    }
    double limit = fraction_max(expected->type);
    for (size_t i = 0; i < expected->count; i++) {
        double got = classify_got_value(input, i), want = expected->f[i];
        bool compared = isfinite(got) && isfinite(want) && fabs(want) < limit;
        if (!isfinite(got) && isfinite(want)) {
            return false;
        }
        if ((isfinite(got) && got != rint(got)) || (compared && classify_is_bad(input, i) && fabs(got - want) > MOST_LOST)) {
            return false;
        }
        lost += isfinite(got) && fabs(want) < limit && want != rint(want) && classify_is_bad(input, i);
    }
    if (lost < CLASSIFY_ENOUGH) {
        return false;
    }
    const char *how = name_rounding(input);
    if (how) {
        classify_say(result, "Every wrong element is the right one, %s. Which line makes a whole number of it?", how);
        result->closed = true;
        return classify_found(result, "typed");
    }
    classify_say(result, "Every value is a whole number: the fractions are lost. Which line makes whole numbers of them?");
    return classify_found(result, "other");
}

/* Relative error up to which a value is right in its first digits: that of bfloat16, with some roundings on top. */
#define COARSE_RELATIVE 0x1p-7
/* Of a type whose own roundings are far smaller. */
#define LEAST_DIGITS 16

/* Bits of the longest of the wrong elements, from its first digit to its last. */
static int most_bits(const struct classify_input *input)
{
    const struct lab_expected *expected = classify_expected_of(input);
    int most = 0;
    for (size_t i = 0; i < expected->count; i++) {
        int exponent, bits = 0;
        double rest = classify_is_bad(input, i) ? fabs(frexp(classify_got_value(input, i), &exponent)) : 0;
        for (; rest > 0 && bits < 53; bits++) {
            rest = 2 * rest - floor(2 * rest);
        }
        most = bits > most ? bits : most;
    }
    return most;
}

/* The narrowest float type below `type` that holds numbers of so many bits; NULL: none. */
static const struct types_row *narrower(const struct types_row *type, int bits)
{
    const struct types_row *found = NULL;
    for (int each = LAB_NO_TYPE + 1; each < LAB_TYPE_COUNT; each++) {
        const struct types_row *row = types_get((enum lab_type)each);
        bool holds = row->kind == TYPES_FLOAT && row->digits >= bits && row->digits < type->digits;
        found = holds && (!found || row->digits < found->digits) ? row : found;
    }
    return found;
}

/* In a sentence: the C name of bfloat16 is nothing to read out. */
static const char *name_of(const struct types_row *row)
{
    return strncmp(row->c, "__", 2) == 0 ? row->name : row->c;
}

bool classify_try_few_digits(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    const struct types_row *type = types_get(expected->type);
    size_t near = 0, bad = input->comparison->bad_count, too_large = 0;
    double digits = 0, largest = 0;
    if (!classify_is_float(input) || type->digits < LEAST_DIGITS || input->comparison->not_finite_count > 0) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double want = expected->f[i], got = classify_got_value(input, i), error = fabs(got - want);
        if (isfinite(want)) {
            largest = fmax(largest, fabs(want));
        }
        if (classify_is_bad(input, i) && error <= COARSE_RELATIVE * fabs(want)) {
            near++;
            too_large += fabs(got) > fabs(want);
            digits -= log10(error / fabs(want));
        }
    }
    /* Roundings go up and down; an error of one sign comes from a wrong formula. */
    bool both_signs = too_large >= near / 4 && near - too_large >= near / 4;
    if (near < CLASSIFY_ENOUGH || near < bad - bad / 8 || !both_signs
        || input->comparison->worst_error > COARSE_RELATIVE * largest) {
        return false;
    }
    int bits = most_bits(input);
    classify_say(result, "The values are right to about %d digits, and a %s has %d. ", (int)floor(digits / (double)near),
                 type->c, types_decimal_digits(expected->type));
    const struct types_row *narrow = narrower(type, bits);
    if (narrow) {
        classify_say(result, "Every wrong element is a number of no more than %d bits, as a %s holds; a %s has %d. ",
                     narrow->digits, name_of(narrow), type->c, type->digits);
    }
    classify_say(result, "Which operation or type on the way loses the others?");
    return classify_found(result, "digits");
}

/* What is above it becomes infinite as a half. */
#define LARGEST_HALF 65504.0

bool classify_try_past_half(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    if (!classify_is_float(input) || types_get(expected->type)->digits <= types_get(LAB_FLOAT16)->digits
        || input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        double want = expected->f[i], got = classify_got_value(input, i);
        bool past = isfinite(want) && fabs(want) > LARGEST_HALF;
        if (classify_is_bad(input, i) != past || (past && got != copysign((double)INFINITY, want))) {
            return false;
        }
    }
    classify_say(
        result, "What should be above 65504 is infinite, and nothing else is wrong. 65504 is the largest half. Which number "
                "on the way is a half?");
    return classify_found(result, "digits");
}

/* How many bits at the lower end are right in all elements, whose differences are joined with |. */
static int lower_bits_right(uint64_t differences)
{
    return differences == 0 ? 64 : __builtin_ctzll(differences);
}

bool classify_try_wrapped(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    const struct types_row *type = types_get(expected->type);
    uint64_t differences = 0;
    if (classify_is_float(input) || type->bytes < 4 || input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        differences |= (uint64_t)types_get_integer(expected->type, input->wrong.got, i) - (uint64_t)expected->i[i];
    }
    int right = lower_bits_right(differences), width = 8 * (int)type->bytes;
    if (right < 16 || right >= width) {
        return false;
    }
    if (right == 32) {
        classify_say(
            result,
            "Every wrong element is off by a multiple of 2^32: the lower 32 bits are right. Does a value on the way pass "
            "through an int, which has no more than 32?");
    } else if (right == 31 && width == 32) {
        classify_say(
            result,
            "Every wrong element is off by 2^31: the lower 31 bits are right, and the highest one is not. Which line "
            "changes the highest bit alone, or uses it for something else than the value?");
    } else if (right == 16) {
        classify_say(
            result,
            "Every wrong element is off by a multiple of 65536 = 2^16: the lower 16 bits are right. Does a value on the way "
            "pass through a type or a mask of 16 bits?");
    } else {
        classify_say(
            result,
            "Every wrong element is off by a multiple of %llu = 2^%d: the lower %d bits are right. What becomes of the "
            "upper ones on the way?",
            1ull << right, right, right);
    }
    return classify_found(result, "upper_bits");
}
