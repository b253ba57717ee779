#include "grader/judge/classify_try.h"

#include <math.h>

/* Values that went through a type too narrow for them. */

/* Largest float whose neighbours are less than 1/4 away: above, whole numbers are not a surprise. */
#define FRACTION_MAX 0x1p21
/* Lost fractions of two terms, each below 1. */
#define MOST_LOST 2

/* How a whole number was made of every wrong element, if all of them agree with one way alone: "rounded down". Else NULL. */
static const char *name_rounding(const struct classify_input *input)
{
    static const struct {
        float (*round)(float value);
        const char *name;
    } ways[] = {{truncf, "without its fraction"},
                {floorf, "rounded down to a whole number"},
                {ceilf, "rounded up to a whole number"},
                {roundf, "rounded to the nearest whole number"},
                {rintf, "rounded to the nearest whole number"}};
    const struct lab_expected *expected = classify_expected_of(input);
    const char *found = NULL;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        bool all = true;
        for (size_t i = 0; i < expected->count && all; i++) {
            all = !classify_is_bad(input, i)
                  || classify_got_value(input, i) == (double)ways[way].round((float)expected->f[i]);
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
    for (size_t i = 0; i < expected->count; i++) {
        double got = classify_got_value(input, i), want = expected->f[i];
        bool compared = isfinite(got) && isfinite(want) && fabs(want) < FRACTION_MAX;
        if (!isfinite(got) && isfinite(want)) {
            return false;
        }
        if ((isfinite(got) && got != rint(got)) || (compared && classify_is_bad(input, i) && fabs(got - want) > MOST_LOST)) {
            return false;
        }
        lost += isfinite(got) && fabs(want) < FRACTION_MAX && want != rint(want) && classify_is_bad(input, i);
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

bool classify_try_few_digits(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    size_t near = 0, bad = input->comparison->bad_count, too_large = 0;
    double digits = 0, largest = 0;
    if (!classify_is_float(input) || input->comparison->not_finite_count > 0) {
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
    classify_say(result, "The values are right to about %d digits, and a float has 7. ", (int)floor(digits / (double)near));
    if (bits <= 11) {
        classify_say(result, "Every wrong element is a number of no more than %d bits, as a %s holds; a float has 24. ",
                     bits <= 8 ? 8 : 11, bits <= 8 ? "bfloat16" : "half");
    }
    classify_say(result, "Which operation or type on the way loses the others?");
    return classify_found(result, "digits");
}

/* How many bits at the lower end are right in all elements, whose differences are joined with |. */
static int lower_bits_right(uint32_t differences)
{
    return differences == 0 ? 32 : __builtin_ctz(differences);
}

bool classify_try_wrapped(const struct classify_input *input, struct classify_result *result)
{
    const struct lab_expected *expected = classify_expected_of(input);
    const uint32_t *got = input->wrong.got;
    uint32_t differences = 0;
    if (classify_is_float(input) || input->comparison->bad_count < CLASSIFY_ENOUGH) {
        return false;
    }
    for (size_t i = 0; i < expected->count; i++) {
        differences |= got[i] - (uint32_t)expected->i[i];
    }
    int right = lower_bits_right(differences);
    if (right < 16 || right > 31) {
        return false;
    }
    if (right == 31) {
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
            "Every wrong element is off by a multiple of %u = 2^%d: the lower %d bits are right. What becomes of the upper "
            "ones on the way?",
            1u << right, right, right);
    }
    return classify_found(result, "upper_bits");
}
